// Certificates made on the spot.
#ifndef SITTUYIN_TESTS_ACCESS_CERTIFICATES_H_
#define SITTUYIN_TESTS_ACCESS_CERTIFICATES_H_

#include <string>
#include <variant>

namespace sittuyin::service {

// In PEM.
struct KeyAndCertificate {
  std::string key;
  std::string certificate;  // Signed with its own key.
};

// With `name` as its common name; good from the first day of the year `begin`
// to that of `end`; its key is on a curve, or of RSA with so many bits.
KeyAndCertificate MakeCertificate(
    const std::string& name, const std::string& begin = "2020",
    const std::string& end = "2040",
    const std::variant<std::string, int>& kind = "P-256");

// `key`, locked with a passphrase.
std::string Locked(const std::string& key);

}  // namespace sittuyin::service

#endif  // SITTUYIN_TESTS_ACCESS_CERTIFICATES_H_
