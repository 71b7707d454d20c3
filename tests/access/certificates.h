// Certificates made on the spot.
#ifndef SITTUYIN_TESTS_ACCESS_CERTIFICATES_H_
#define SITTUYIN_TESTS_ACCESS_CERTIFICATES_H_

#include <string>

namespace sittuyin::service {

// In PEM.
struct KeyAndCertificate {
  std::string key;
  std::string certificate;  // Signed with its own key.
};

// Good until the first day of 2040, with `name` as its common name.
KeyAndCertificate MakeCertificate(const std::string& name);

// `key`, locked with a passphrase.
std::string Locked(const std::string& key);

}  // namespace sittuyin::service

#endif  // SITTUYIN_TESTS_ACCESS_CERTIFICATES_H_
