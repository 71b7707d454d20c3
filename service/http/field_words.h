// What is told of a field whose value or name is wrong.
#ifndef SITTUYIN_SERVICE_HTTP_FIELD_WORDS_H_
#define SITTUYIN_SERVICE_HTTP_FIELD_WORDS_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>

#include "google/rpc/status.pb.h"

namespace sittuyin::service {

// MALFORMED_REQUEST for the field at `path`, with what its values look like.
google::rpc::Status WrongValue(std::string_view path,
                               const google::protobuf::FieldDescriptor& field);

// The same for what is no array where the field is a list.
google::rpc::Status NoArray(std::string_view path,
                            const google::protobuf::FieldDescriptor& field);

// The same for a field that came before.
google::rpc::Status GivenTwice(std::string_view path);

// The names that JSON has for the fields of `type`, `none` without any.
std::string NamesIn(const google::protobuf::Descriptor& type);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_FIELD_WORDS_H_
