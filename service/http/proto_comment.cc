#include "service/http/proto_comment.h"

#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sittuyin::service {

std::string JoinLines(std::string_view comment) {
  std::string prose;
  bool paragraph_ended = false;
  while (!comment.empty()) {
    const std::size_t end = std::min(comment.find('\n'), comment.size());
    std::string_view line = comment.substr(0, end);
    comment.remove_prefix(std::min(end + 1, comment.size()));
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == line.npos) {
      paragraph_ended = !prose.empty();
      continue;
    }
    if (!prose.empty()) prose += paragraph_ended ? "\n\n" : " ";
    paragraph_ended = false;
    prose += line.substr(begin);
  }
  return prose;
}

std::string FirstSentence(std::string_view prose) {
  for (std::size_t i = 0; i < prose.size(); ++i) {
    const bool ends =
        i + 1 == prose.size() || prose[i + 1] == ' ' || prose[i + 1] == '\n';
    if (prose[i] == '.' && ends) return std::string(prose.substr(0, i));
  }
  return std::string(prose);
}

std::string CommentOf(const google::protobuf::FileDescriptor& file) {
  google::protobuf::SourceLocation location;
  const std::vector<int> syntax = {
      google::protobuf::FileDescriptorProto::kSyntaxFieldNumber};
  if (!file.GetSourceLocation(syntax, &location)) return {};
  return JoinLines(location.leading_comments);
}

}  // namespace sittuyin::service
