#include "service/http/openapi.h"

#include <google/protobuf/any.pb.h>
#include <google/protobuf/duration.pb.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "service/errors/wanted.h"
#include "service/http/proto_comment.h"
#include "service/http/routes.h"

namespace sittuyin::service {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::MethodDescriptor;
using google::protobuf::ServiceDescriptor;

// A header of answers, by its name.
struct Header {
  const char* name;
  const char* type;
  const char* description;
};

constexpr Header kHeaders[] = {
    {"Accept-Encoding", "string", "The encodings that bodies may have."},
    {"Cache-Control", "string", "Whether and how long the answer may be kept."},
    {"ETag", "string", "Names these bytes, for If-None-Match."},
    {"Retry-After", "integer", "Seconds to wait before the next try."},
    {"WWW-Authenticate", "string", "The credential that is wanted."},
};

bool Always(const Route&) { return true; }
bool TakesBody(const Route& route) { return route.has_body; }
// A search has limits.
bool Searches(const Route& route) {
  return route.rpc->input_type()->FindFieldByName("limits") != nullptr;
}

// An answer that refuses, all of them not to be kept.
struct Refusal {
  const char* code;
  const char* component;
  const char* description;
  const char* header;  // Beside Cache-Control; null without.
  bool (*of)(const Route&);
};

constexpr Refusal kRefusals[] = {
    {"401", "Unauthenticated",
     "The server wants a credential, and this call has none or no good one.",
     "WWW-Authenticate", Always},
    {"413", "TooLarge", "The body is too large; the metadata has the limit.",
     nullptr, TakesBody},
    {"415", "Encoded", "The body is encoded: send it as it is.",
     "Accept-Encoding", TakesBody},
    {"429", "QuotaExceeded", "This caller called too often.", "Retry-After",
     Always},
    {"503", "Unavailable",
     "Too many searches wait, or the server stops: try again, or another.",
     "Retry-After", Searches},
    {"504", "DeadlineExceeded",
     "The deadline passed before there was an answer. Retry-After is there "
     "where other searches were in the way.",
     "Retry-After", Always},
    {"4XX", "Refused", "The request is at fault.", nullptr, Always},
    {"5XX", "Failed",
     "The server cannot answer; INTERNAL is a fault of its own, and logged.",
     nullptr, Always},
};

// Messages and enums to describe, by the name of their schema.
struct Types {
  std::map<std::string, const Descriptor*> messages;
  std::map<std::string, const EnumDescriptor*> enums;
};

bool IsWellKnown(const Descriptor& type) {
  return type.well_known_type() != Descriptor::WELLKNOWNTYPE_UNSPECIFIED;
}

void Collect(const Descriptor& type, Types& types);

// What the fields of `type` need, without `type` itself.
void CollectFields(const Descriptor& type, Types& types) {
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    if (field.message_type() != nullptr) Collect(*field.message_type(), types);
    if (field.enum_type() != nullptr) {
      types.enums.emplace(field.enum_type()->name(), field.enum_type());
    }
  }
}

void Collect(const Descriptor& type, Types& types) {
  if (IsWellKnown(type) || !types.messages.emplace(type.name(), &type).second) {
    return;
  }
  CollectFields(type, types);
}

bool HasBody(const MethodDescriptor& rpc) {
  const std::vector<Route> routes = RoutesOf(rpc);
  return std::any_of(routes.begin(), routes.end(),
                     [](const Route& route) { return route.has_body; });
}

// Writes the document from its top to its end.
class Document {
 public:
  Document(const ServiceDescriptor& service, const Descriptor& refusal)
      : service_(service), refusal_(refusal) {
    for (int i = 0; i < service.method_count(); ++i) {
      const Descriptor& request = *service.method(i)->input_type();
      if (HasBody(*service.method(i))) {
        Collect(request, requests_);
      } else {
        CollectFields(request, requests_);
      }
      FindBounds(request, "");
      Collect(*service.method(i)->output_type(), all_);
    }
    all_.messages.insert(requests_.messages.begin(), requests_.messages.end());
    all_.enums.insert(requests_.enums.begin(), requests_.enums.end());
    Collect(refusal, all_);
  }

  std::string Write(std::string_view version) {
    json_.StartObject();
    Text("openapi", "3.1.0");
    WriteInfo(version);
    WriteServers();
    WriteTags();
    WritePaths();
    WriteComponents();
    json_.EndObject();
    return std::string(buffer_.GetString(), buffer_.GetSize());
  }

 private:
  // What the fields of a request take at most; `path` stands before theirs.
  void FindBounds(const Descriptor& type, const std::string& path) {
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      const std::string at = path + field.name();
      if (const auto most = MostOf(at)) most_.emplace(&field, *most);
      if (field.message_type() != nullptr) {
        FindBounds(*field.message_type(), at + ".");
      }
    }
  }

  void Key(std::string_view name) {
    json_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
  }
  void String(std::string_view text) {
    json_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }
  void Text(std::string_view name, std::string_view text) {
    Key(name);
    String(text);
  }
  void Describe(std::string_view text) {
    if (!text.empty()) Text("description", text);
  }
  // Key and an object that `fill` fills.
  template <typename Fill>
  void Object(std::string_view name, Fill fill) {
    Key(name);
    json_.StartObject();
    fill();
    json_.EndObject();
  }
  // Key and a list of what `fill` writes.
  template <typename Fill>
  void List(std::string_view name, Fill fill) {
    Key(name);
    json_.StartArray();
    fill();
    json_.EndArray();
  }

  void WriteInfo(std::string_view version) {
    Object("info", [&] {
      Text("title", "Sittuyin");
      Text("version", version);
      Describe(CommentOf(*service_.file()));
      Object("license", [&] {
        Text("name", "Apache-2.0");
        Text("identifier", "Apache-2.0");
      });
    });
  }

  void WriteServers() {
    List("servers", [&] {
      json_.StartObject();
      Text("url", "/");
      Describe("The server that this document comes from.");
      json_.EndObject();
    });
    // What a server wants depends on how it was started.
    const std::vector<const char*> ways[] = {
        {}, {"token"}, {"certificate"}, {"certificate", "token"}};
    List("security", [&] {
      for (const auto& way : ways) {
        json_.StartObject();
        for (const char* scheme : way) List(scheme, [] {});
        json_.EndObject();
      }
    });
  }

  void WriteTags() {
    List("tags", [&] {
      json_.StartObject();
      Text("name", service_.name());
      Describe(CommentOf(service_));
      json_.EndObject();
    });
  }

  void WritePaths() {
    // Each path with its ways to call it, in the order of the contract.
    std::vector<std::pair<std::string, std::vector<Route>>> paths;
    for (int i = 0; i < service_.method_count(); ++i) {
      for (const Route& route : RoutesOf(*service_.method(i))) {
        if (paths.empty() || paths.back().first != route.path) {
          paths.push_back({route.path, {}});
        }
        paths.back().second.push_back(route);
      }
    }
    Object("paths", [&] {
      for (const auto& [path, routes] : paths) {
        Object(path, [&, &routes = routes] {
          for (const Route& route : routes) WriteOperation(route);
        });
      }
    });
  }

  void WriteOperation(const Route& route) {
    const MethodDescriptor& rpc = *route.rpc;
    const bool is_get = route.verb == "GET";
    const std::string comment = CommentOf(rpc);
    Object(is_get ? "get" : "post", [&] {
      // A second way to call an rpc needs a name of its own.
      const bool is_first = RoutesOf(rpc).front().verb == route.verb;
      Text("operationId", is_first ? rpc.name() : rpc.name() + "ByQuery");
      Text("summary", FirstSentence(comment));
      Describe(is_get ? comment + "\n\nHEAD answers the same without a body."
                      : comment);
      List("tags", [&] { String(service_.name()); });
      WriteParameters(route);
      if (route.has_body) WriteRequestBody(rpc);
      WriteResponses(route);
    });
  }

  void WriteParameters(const Route& route) {
    List("parameters", [&] {
      if (!route.has_body) WriteQueryFields(*route.rpc->input_type(), "");
      for (const char* name : {"RequestTimeout", "Traceparent"}) {
        json_.StartObject();
        Text("$ref", std::string("#/components/parameters/") + name);
        json_.EndObject();
      }
      if (route.verb == "GET") {
        json_.StartObject();
        Text("$ref", "#/components/parameters/IfNoneMatch");
        json_.EndObject();
      }
    });
  }

  // One parameter for each field, those of messages with their path before.
  void WriteQueryFields(const Descriptor& type, const std::string& path) {
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      const std::string name = path + field.json_name();
      if (field.message_type() != nullptr) {
        WriteQueryFields(*field.message_type(), name + ".");
        continue;
      }
      json_.StartObject();
      Text("name", name);
      Text("in", "query");
      Describe(CommentOf(field));
      Object("schema", [&] { WriteFieldSchema(field); });
      json_.EndObject();
    }
  }

  void WriteRequestBody(const MethodDescriptor& rpc) {
    Object("requestBody",
           [&] { WriteContent("application/json", *rpc.input_type()); });
  }

  void WriteContent(std::string_view media_type, const Descriptor& type) {
    Object("content", [&] {
      Object(media_type,
             [&] { Object("schema", [&] { Reference(type.name()); }); });
    });
  }

  void Reference(const std::string& schema) {
    Text("$ref", "#/components/schemas/" + schema);
  }

  void WriteResponses(const Route& route) {
    const MethodDescriptor& rpc = *route.rpc;
    const bool is_get = route.verb == "GET";
    Object("responses", [&] {
      Object("200", [&] {
        Describe(rpc.server_streaming() ? "One object a line, as it comes."
                                        : CommentOf(*rpc.output_type()));
        if (is_get) WriteHeaders({"Cache-Control", "ETag"});
        if (rpc.server_streaming()) WriteHeaders({"Cache-Control"});
        WriteContent(rpc.server_streaming() ? "application/x-ndjson"
                                            : "application/json",
                     *rpc.output_type());
      });
      if (is_get) {
        Object("304", [&] {
          Describe("The answer that If-None-Match names still holds.");
          WriteHeaders({"Cache-Control", "ETag"});
        });
      }
      for (const Refusal& refusal : kRefusals) {
        if (!refusal.of(route)) continue;
        Object(refusal.code, [&] {
          Text("$ref",
               std::string("#/components/responses/") + refusal.component);
        });
      }
    });
  }

  void WriteHeaders(std::initializer_list<const char*> names) {
    Object("headers", [&] {
      for (const char* name : names) {
        if (name == nullptr) continue;
        Object(name, [&] {
          Text("$ref", std::string("#/components/headers/") + name);
        });
      }
    });
  }

  void WriteComponents() {
    Object("components", [&] {
      WriteSharedParameters();
      WriteSharedHeaders();
      WriteSharedResponses();
      Object("securitySchemes", [&] {
        Object("token", [&] {
          Describe("Where the server is started with --token_file.");
          Text("type", "http");
          Text("scheme", "bearer");
        });
        Object("certificate", [&] {
          Describe(
              "Where the server is started with --tls_client_ca_file: without "
              "one of its certificates a connection ends before any answer.");
          Text("type", "mutualTLS");
        });
      });
      Object("schemas", [&] {
        for (const auto& [name, type] : all_.messages) {
          Object(name, [&, type = type] { WriteMessageSchema(*type); });
        }
        for (const auto& [name, type] : all_.enums) {
          Object(name, [&, type = type] { WriteEnumSchema(*type); });
        }
      });
    });
  }

  void WriteSharedHeaders() {
    Object("headers", [&] {
      for (const Header& header : kHeaders) {
        Object(header.name, [&] {
          Describe(header.description);
          Object("schema", [&] { Text("type", header.type); });
        });
      }
    });
  }

  void WriteSharedResponses() {
    Object("responses", [&] {
      for (const Refusal& refusal : kRefusals) {
        Object(refusal.component, [&] {
          Describe(refusal.description);
          WriteHeaders({"Cache-Control", refusal.header});
          WriteContent("application/json", refusal_);
        });
      }
    });
  }

  void WriteSharedParameters() {
    struct Parameter {
      const char* component;
      const char* name;
      const char* description;
      const char* type;
    };
    constexpr Parameter kParameters[] = {
        {"RequestTimeout", "X-Request-Timeout",
         "Seconds until the caller stops waiting, above 0. A search answers "
         "in time.",
         "number"},
        {"Traceparent", "traceparent",
         "The caller's trace as W3C Trace Context writes it.", "string"},
        {"IfNoneMatch", "If-None-Match",
         "The ETags of answers that the caller has.", "string"},
    };
    Object("parameters", [&] {
      for (const Parameter& parameter : kParameters) {
        Object(parameter.component, [&] {
          Text("name", parameter.name);
          Text("in", "header");
          Describe(parameter.description);
          Object("schema", [&] { Text("type", parameter.type); });
        });
      }
    });
  }

  void WriteMessageSchema(const Descriptor& type) {
    Text("type", "object");
    Describe(CommentOf(type));
    Object("properties", [&] {
      for (int i = 0; i < type.field_count(); ++i) {
        Object(type.field(i)->json_name(), [&] {
          Describe(CommentOf(*type.field(i)));
          WriteFieldSchema(*type.field(i));
        });
      }
    });
    WriteOneofs(type);
    if (requests_.messages.contains(type.name())) {
      Key("additionalProperties");
      json_.Bool(false);
    } else {
      WriteRequired(type);
    }
  }

  // No two fields of a oneof are there together. `oneOf` would say so, too, but
  // makes a class of each field in many a generated client.
  void WriteOneofs(const Descriptor& type) {
    if (type.real_oneof_decl_count() == 0) return;
    Object("not", [&] {
      List("anyOf", [&] {
        for (int i = 0; i < type.real_oneof_decl_count(); ++i) {
          const auto& oneof = *type.oneof_decl(i);
          for (int later = 1; later < oneof.field_count(); ++later) {
            for (int n = 0; n < later; ++n) {
              json_.StartObject();
              List("required", [&] {
                String(oneof.field(n)->json_name());
                String(oneof.field(later)->json_name());
              });
              json_.EndObject();
            }
          }
        }
      });
    });
  }

  // Answers print every field that has no presence.
  void WriteRequired(const Descriptor& type) {
    List("required", [&] {
      for (int i = 0; i < type.field_count(); ++i) {
        if (!type.field(i)->has_presence()) String(type.field(i)->json_name());
      }
    });
  }

  void WriteEnumSchema(const EnumDescriptor& type) {
    std::string description = CommentOf(type) + "\n";
    for (int i = 0; i < type.value_count(); ++i) {
      description +=
          "\n- `" + type.value(i)->name() + "`: " + CommentOf(*type.value(i));
    }
    Text("type", "string");
    Describe(description);
    List("enum", [&] {
      for (int i = 0; i < type.value_count(); ++i) {
        String(type.value(i)->name());
      }
    });
  }

  void WriteFieldSchema(const FieldDescriptor& field) {
    if (field.is_map()) {
      Text("type", "object");
      Object("additionalProperties",
             [&] { WriteValueSchema(*field.message_type()->map_value()); });
    } else if (field.is_repeated()) {
      Text("type", "array");
      WriteMost("maxItems", field);
      Object("items", [&] { WriteValueSchema(field); });
    } else {
      WriteValueSchema(field);
    }
  }

  void WriteValueSchema(const FieldDescriptor& field) {
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_BOOL:
        return Text("type", "boolean");
      case FieldDescriptor::CPPTYPE_INT32:
        Text("type", "integer");
        return Text("format", "int32");
      case FieldDescriptor::CPPTYPE_UINT32:
        Text("type", "integer");
        Key("minimum");
        json_.Uint(0);
        if (most_.contains(&field)) return WriteMost("maximum", field);
        Key("maximum");
        json_.Uint(UINT32_MAX);
        return;
      case FieldDescriptor::CPPTYPE_UINT64:
        // JSON's numbers are not exact beyond 2^53.
        Text("type", "string");
        return Text("pattern", "^[0-9]+$");
      case FieldDescriptor::CPPTYPE_ENUM:
        return Reference(field.enum_type()->name());
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return WriteMessageValueSchema(*field.message_type());
      default:
        Text("type", "string");
        if (!field.is_repeated()) WriteMost("maxLength", field);
    }
  }

  // Nothing for a field that takes all of its type.
  void WriteMost(std::string_view keyword, const FieldDescriptor& field) {
    const auto most = most_.find(&field);
    if (most == most_.end()) return;
    Key(keyword);
    json_.Uint64(most->second);
  }

  void WriteMessageValueSchema(const Descriptor& type) {
    if (type.full_name() == "google.protobuf.Duration") {
      Text("type", "string");
      Text("pattern", "^[0-9]+(\\.[0-9]{1,9})?s$");
    } else if (type.full_name() == "google.protobuf.Any") {
      Text("type", "object");
      List("required", [&] { String("@type"); });
      Object("properties", [&] {
        Object("@type", [&] {
          Describe("The URL of the message's type.");
          Text("type", "string");
        });
      });
    } else {
      Reference(type.name());
    }
  }

  const ServiceDescriptor& service_;
  const Descriptor& refusal_;
  Types requests_;
  Types all_;
  std::map<const FieldDescriptor*, std::uint64_t> most_;
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> json_{buffer_};
};

}  // namespace

std::string WriteOpenApi(const ServiceDescriptor& service,
                         const Descriptor& refusal, std::string_view version) {
  return Document(service, refusal).Write(version);
}

}  // namespace sittuyin::service
