// The core's methods as the REST door calls them.
#ifndef SITTUYIN_SERVICE_HTTP_ENDPOINTS_H_
#define SITTUYIN_SERVICE_HTTP_ENDPOINTS_H_

#include <memory>

#include "service/api/api.h"
#include "service/http/rest_call.h"
#include "service/telemetry/method.h"

namespace sittuyin::service {

// Reads the request of `call`, has `api` answer `method`, and finishes `call`,
// now or later.
void CallApi(const Api& api, Method method,
             const std::shared_ptr<RestCall>& call);

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_HTTP_ENDPOINTS_H_
