// The one way for libmicrohttpd to take our answers, and ours for its own.
#ifndef SITTUYIN_SERVICE_HTTP_LIBRARY_REFUSALS_H_
#define SITTUYIN_SERVICE_HTTP_LIBRARY_REFUSALS_H_

#include <microhttpd.h>

namespace sittuyin::service {

// MHD_queue_response as the library has it. What the library itself would
// answer with goes through HttpServer::RefuseUnread instead.
MHD_Result QueueResponse(MHD_Connection* connection, unsigned code,
                         MHD_Response* response);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_LIBRARY_REFUSALS_H_
