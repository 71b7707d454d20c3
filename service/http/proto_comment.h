// The prose of a proto file.
#ifndef SITTUYIN_SERVICE_HTTP_PROTO_COMMENT_H_
#define SITTUYIN_SERVICE_HTTP_PROTO_COMMENT_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>

namespace sittuyin::service {

// A comment as Markdown: the lines of a paragraph joined, paragraphs apart by
// an empty line.
std::string JoinLines(std::string_view comment);

// The first sentence of `prose`, without its full stop.
std::string FirstSentence(std::string_view prose);

// The comment before an element (message, field, enum value, rpc, …), joined;
// empty without one.
template <typename Element>
std::string CommentOf(const Element& element) {
  google::protobuf::SourceLocation location;
  if (!element.GetSourceLocation(&location)) return {};
  return JoinLines(location.leading_comments);
}

// The comment at the top of a file, before `syntax`, joined.
std::string CommentOf(const google::protobuf::FileDescriptor& file);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_PROTO_COMMENT_H_
