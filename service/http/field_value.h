// Values of a message's fields as REST sends them.
#ifndef SITTUYIN_SERVICE_HTTP_FIELD_VALUE_H_
#define SITTUYIN_SERVICE_HTTP_FIELD_VALUE_H_

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <cstdint>
#include <string>

namespace sittuyin::service {

// The field with this name, in the proto's spelling or in lowerCamelCase; null
// when `type` has none.
const google::protobuf::FieldDescriptor* FieldNamed(
    const google::protobuf::Descriptor& type, const std::string& name);

// A field and the message that holds it.
struct FieldPlace {
  google::protobuf::Message* message;
  const google::protobuf::FieldDescriptor* field;
};

// Each sets the field, or adds to a list, and is false when the value does not
// fit. Lists of other than text and messages are in no request.
//
// Text in UTF-8, an enum's value by name, a duration, `1.5s`, or a whole
// number.
bool SetText(const FieldPlace& at, std::string text);
bool SetBool(const FieldPlace& at, bool value);
// A whole number, or an enum's value, whether or not the enum has it.
bool SetNumber(const FieldPlace& at, std::uint64_t value);
bool SetNumber(const FieldPlace& at, const std::string& text);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_FIELD_VALUE_H_
