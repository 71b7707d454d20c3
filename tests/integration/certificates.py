"""Certificate authorities and their certificates, made by openssl."""

import pathlib
import ssl
import subprocess

import grpc


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


P256 = ("ec", "-pkeyopt", "ec_paramgen_curve:P-256")


class Pair:
    """A key and its certificate, as files."""

    def __init__(self, folder, name):
        self.key = folder / f"{name}.key"
        self.cert = folder / f"{name}.pem"


class Authority:
    """Signs in `folder`, which lasts longer than this."""

    def __init__(self, folder, name):
        self.folder = pathlib.Path(folder)
        self._own = Pair(self.folder, name)
        openssl("req", "-x509", *self._new_key(self._own), "-days", "30",
                "-subj", f"/CN={name}", "-out", self._own.cert)

    @property
    def cert(self):
        return self._own.cert

    @staticmethod
    def _new_key(pair, kind=P256):
        return ("-newkey", *kind, "-nodes", "-keyout", pair.key)

    def sign(self, name, alternative="", common=None, days=2, purpose="",
             usage="", kind=P256):
        """A new pair; its certificate has ended where `days` is below 0."""
        pair = Pair(self.folder, name)
        request = self.folder / f"{name}.csr"
        extensions = self.folder / f"{name}.ext"
        extensions.write_text("".join(
            f"{key}={value}\n" for key, value in (
                ("subjectAltName", alternative), ("extendedKeyUsage", purpose),
                ("keyUsage", usage))
            if value))
        openssl("req", *self._new_key(pair, kind), "-subj",
                f"/CN={name if common is None else common}", "-out", request)
        openssl("x509", "-req", "-in", request, "-CA", self._own.cert, "-CAkey",
                self._own.key, "-CAcreateserial", "-days", str(days),
                "-extfile", extensions, "-out", pair.cert)
        return pair


def bundle(path, *files):
    path.write_bytes(b"".join(file.read_bytes() for file in files))
    return path


def context_for(ca, pair=None):
    """For REST: trusts `ca`, shows `pair`."""
    context = ssl.create_default_context(cafile=ca)
    if pair:
        context.set_ciphers("DEFAULT:@SECLEVEL=0")  # The server is to refuse.
        context.load_cert_chain(pair.cert, pair.key)
    return context


def credentials_for(ca, pair=None):
    """The same for gRPC."""
    return grpc.ssl_channel_credentials(
        ca.read_bytes(), pair and pair.key.read_bytes(),
        pair and pair.cert.read_bytes())
