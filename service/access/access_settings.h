// What an operator may say about who calls, plain values.
#ifndef SITTUYIN_SERVICE_ACCESS_ACCESS_SETTINGS_H_
#define SITTUYIN_SERVICE_ACCESS_ACCESS_SETTINGS_H_

#include <string>
#include <vector>

namespace sittuyin::service {

// Paths of PEM files; `certificate` and `key` are both set or both empty, and
// `client_ca` is set only with them.
struct TlsFiles {
  std::string certificate;  // The server's, followed by its chain.
  std::string key;
  std::string client_ca;  // Set = callers must bring a certificate of it.
};

struct AccessSettings {
  TlsFiles tls;
  // Certificates that may call; empty = every one of `tls.client_ca`.
  std::vector<std::string> client_names;
  std::string token_file;  // Empty = no bearer tokens.
  bool health_needs_credentials = false;
  double requests_per_second = 0;  // Of each caller; 0 = any number.
  int burst = 0;                   // At once; 0 = those of a second.
};

}  // namespace sittuyin::service

#endif  // SITTUYIN_SERVICE_ACCESS_ACCESS_SETTINGS_H_
