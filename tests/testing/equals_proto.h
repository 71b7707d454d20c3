// Compares messages with the text format.
#ifndef SITTUYIN_TESTS_TESTING_EQUALS_PROTO_H_
#define SITTUYIN_TESTS_TESTING_EQUALS_PROTO_H_

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>

#include <memory>
#include <string>

namespace sittuyin {

// Matches a message equal to the one that `text` describes.
MATCHER_P(EqualsProto, text, "") {
  const std::unique_ptr<google::protobuf::Message> expected(arg.New());
  if (!google::protobuf::TextFormat::ParseFromString(text, expected.get())) {
    *result_listener << "the expected text does not parse";
    return false;
  }
  std::string differences;
  google::protobuf::util::MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&differences);
  const bool equal = differencer.Compare(*expected, arg);
  *result_listener << "\n" << arg.DebugString() << differences;
  return equal;
}

}  // namespace sittuyin

#endif  // SITTUYIN_TESTS_TESTING_EQUALS_PROTO_H_
