#include "service/http/json_reader.h"

#include <google/protobuf/descriptor.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <spdlog/fmt/fmt.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "service/errors/errors.h"
#include "service/http/field_value.h"
#include "service/http/field_words.h"
#include "service/http/quote.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::rpc::Status;

// Deeper than any request of the contract.
constexpr std::size_t kDepth = 8;

// Takes the events of rapidjson's reader; each returns false to refuse.
class Filler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Filler> {
 public:
  explicit Filler(Message& root) : root_(root) {}

  // Why a field was refused.
  const std::optional<Status>& refusal() const { return refusal_; }
  // The text began as an object.
  bool has_begun() const { return has_begun_; }

  bool StartObject() {
    Message* message = has_begun_ ? Submessage() : &root_;
    if (message == nullptr || depth_ == kDepth) return Refuse();
    has_begun_ = true;
    Frame& frame = open_[depth_++];
    frame.message = message;
    frame.given.clear();
    return true;
  }

  bool Key(const char* text, rapidjson::SizeType size, bool) {
    const std::string name(text, size);
    const Descriptor& type = *Top().message->GetDescriptor();
    const FieldDescriptor* field = FieldNamed(type, name);
    if (field == nullptr) {
      refusal_ = MalformedRequest(
          Quote(Around() + name),
          fmt::format("there is no such field; the fields here are: {}.",
                      NamesIn(type)));
      return false;
    }
    Top().field = field;
    if (absl::c_linear_search(Top().given, field)) {
      refusal_ = GivenTwice(Path());
      return false;
    }
    Top().given.push_back(field);
    return true;
  }

  bool EndObject(rapidjson::SizeType) {
    --depth_;
    return true;
  }

  bool StartArray() {
    if (depth_ == 0 || Top().in_array || !Top().field->is_repeated()) {
      return Refuse();
    }
    Top().in_array = true;
    return true;
  }

  bool EndArray(rapidjson::SizeType) {
    Top().in_array = false;
    return true;
  }

  bool String(const char* text, rapidjson::SizeType size, bool) {
    return (Fits() && SetText(Place(), std::string(text, size))) || Refuse();
  }

  bool Bool(bool value) {
    return (Fits() && SetBool(Place(), value)) || Refuse();
  }

  // Every number comes here. A whole one may be written 2.0 or 1e1.
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    return (Fits() && (SetNumber(Place(), std::string(text, size)) ||
                       SetDecimal({text, size}))) ||
           Refuse();
  }

  // The field's default.
  bool Null() { return (depth_ > 0 && !Top().in_array) || Refuse(); }

 private:
  struct Frame {
    Message* message = nullptr;
    const FieldDescriptor* field = nullptr;  // Of the last key.
    bool in_array = false;
    absl::InlinedVector<const FieldDescriptor*, kDepth> given = {};
  };

  Frame& Top() { return open_[depth_ - 1]; }

  bool SetDecimal(std::string_view text) {
    constexpr double kMayBeRounded = 0x1p53;
    double value = 0;
    const auto parsed =
        std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc() && value >= 0 && value < kMayBeRounded &&
           value == std::floor(value) &&
           SetNumber(Place(), static_cast<std::uint64_t>(value));
  }

  FieldPlace Place() { return {Top().message, Top().field}; }

  // A value fits here: an element in a list, no list elsewhere.
  bool Fits() {
    return depth_ > 0 && Top().in_array == Top().field->is_repeated();
  }

  // The message that an object fills here; null when none does.
  Message* Submessage() {
    if (!Fits() ||
        Top().field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE ||
        Top().field->message_type()->well_known_type() !=
            Descriptor::WELLKNOWNTYPE_UNSPECIFIED) {
      return nullptr;
    }
    Message* message = Top().message;
    return Top().in_array
               ? message->GetReflection()->AddMessage(message, Top().field)
               : message->GetReflection()->MutableMessage(message, Top().field);
  }

  // What leads to the fields of the message that is read, `game.`.
  std::string Around() const {
    std::string path;
    for (std::size_t i = 0; i + 1 < depth_; ++i) {
      path += open_[i].field->name() + '.';
    }
    return path;
  }

  // Where the last value belongs, `game.moves[1]`.
  std::string Path() {
    std::string path = Around() + Top().field->name();
    if (Top().in_array) {
      path += fmt::format("[{}]", Top().message->GetReflection()->FieldSize(
                                      *Top().message, Top().field));
    }
    return path;
  }

  // The last value is of the wrong type. Without a field there is no object.
  bool Refuse() {
    if (depth_ == 0) return false;
    const FieldDescriptor& field = *Top().field;
    refusal_ = field.is_repeated() && !Top().in_array
                   ? NoArray(Path(), field)
                   : WrongValue(Path(), field);
    return false;
  }

  Message& root_;
  std::array<Frame, kDepth> open_;
  std::size_t depth_ = 0;
  bool has_begun_ = false;
  std::optional<Status> refusal_;
};

}  // namespace

Status ReadJson(std::string_view json, Message& message) {
  rapidjson::MemoryStream bytes(json.data(), json.size());
  rapidjson::Reader reader;
  Filler filler(message);
  const rapidjson::ParseResult result =
      reader.Parse<rapidjson::kParseValidateEncodingFlag |
                   rapidjson::kParseNumbersAsStringsFlag>(bytes, filler);
  // To rapidjson a NUL ends the text.
  if (!result.IsError() && bytes.Tell() == json.size()) return {};
  if (filler.refusal()) return *filler.refusal();
  if (!filler.has_begun()) {
    return MalformedRequest(
        {}, fmt::format("The body is no JSON object: send {{...}} with the "
                        "fields of {}.",
                        message.GetDescriptor()->name()));
  }
  return MalformedRequest(
      {},
      fmt::format("The body is no JSON from byte {} on: {}", bytes.Tell(),
                  rapidjson::GetParseError_En(
                      result.IsError()
                          ? result.Code()
                          : rapidjson::kParseErrorDocumentRootNotSingular)));
}

}  // namespace sittuyin::service
