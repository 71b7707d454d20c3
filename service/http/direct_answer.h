// Answers where libmicrohttpd takes none.
#ifndef SITTUYIN_SERVICE_HTTP_DIRECT_ANSWER_H_
#define SITTUYIN_SERVICE_HTTP_DIRECT_ANSWER_H_

#include <microhttpd.h>

#include "service/http/http_message.h"

namespace sittuyin::service {

// Writes `answer` to the client of `connection` and ends that direction, past
// libmicrohttpd, which must have nothing left to send: whatever it is given
// afterwards fails, and so ends the connection. What the socket does not take
// at once is lost. To be called on the connection's thread.
void AnswerDirectly(MHD_Connection* connection, const HttpResponse& answer);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_DIRECT_ANSWER_H_
