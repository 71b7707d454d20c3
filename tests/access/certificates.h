// Certificates made on the spot.
#ifndef SITTUYIN_TESTS_ACCESS_CERTIFICATES_H_
#define SITTUYIN_TESTS_ACCESS_CERTIFICATES_H_

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sittuyin::service {

// In PEM.
struct KeyAndCertificate {
  std::string key;
  std::string certificate;  // Signed with its own key.
};

struct CertificateOptions {
  std::string begin = "2020";  // Good from the first day of this year
  std::string end = "2040";    // to that of this.
  // The curve of its key, or of how many bits it is for RSA.
  std::variant<std::string, int> kind = "P-256";
  // By OpenSSL's names, as in a configuration of it.
  std::vector<std::pair<std::string, std::string>> extensions = {};
};

// With `name` as its common name.
KeyAndCertificate MakeCertificate(const std::string& name,
                                  const CertificateOptions& options = {});

// The first block of `pem`, undone.
std::vector<unsigned char> DerOf(const std::string& pem);

// `key`, locked with a passphrase.
std::string Locked(const std::string& key);

}  // namespace sittuyin::service

#endif  // SITTUYIN_TESTS_ACCESS_CERTIFICATES_H_
