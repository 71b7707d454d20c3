#!/usr/bin/env python3
"""sbom.py FOLDER: writes the bill of materials of the image laid out there,
SPDX 2.3 in JSON, into its /usr/share/doc/sittuyin.

It lists the Debian packages whose libraries the server loads (CONTAINS), and
those of which code was compiled or linked into it (STATIC_LINK): what the link
took objects from, and the headers its objects include. Their copyright notices
go into the image as well. A file that no package owns is an error.
"""

import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone

BUILD = pathlib.Path("build/release")
DOC = pathlib.Path("usr/share/doc")
KERNEL = "linux-libc-dev"  # Whose headers have numbers and no code.
BILL = DOC / "sittuyin/sbom.spdx.json"
FIELDS = ("Version", "Architecture", "source:Package", "source:Version")


def unmerged(path):
    """As most packages name it: /lib and /usr/lib are one folder."""
    return re.sub("^/usr/(?=lib(64)?/)", "/", os.path.normpath(path))


@functools.cache
def owners():
    """The package of each file."""
    return {unmerged(path): listing.stem.split(":")[0]
            for listing in pathlib.Path("/var/lib/dpkg/info").glob("*.list")
            for path in listing.read_text().splitlines()}


def owner(path):
    package = owners().get(unmerged(path)) or owners().get(
        unmerged(os.path.realpath(path)))
    if not package:
        sys.exit(f"sbom.py: error: no package owns {path}")
    return package


def compiled_in():
    """The files outside of the sources whose code is in the server."""
    yield from re.findall(r"^[ 0-9a-f]+ +(/[^\s(:]+)",
                          (BUILD / "link.map").read_text(), re.M)
    told = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    sources = os.getcwd() + "/"
    for path in re.findall(r"^ +(/.+)$", told, re.M):
        if not path.startswith(sources) and owner(path) != KERNEL:
            yield path


def digest(path, algorithm):
    return hashlib.new(algorithm, path.read_bytes()).hexdigest()


def spdx_id(name):
    return "SPDXRef-" + re.sub("[^A-Za-z0-9.]", "-", name)


def package(name):
    told = subprocess.run(
        ["dpkg-query", "-W", "-f",
         "\\n".join(f"${{{field}}}" for field in FIELDS) + "\\n\\n", name],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    of = dict(zip(FIELDS, told.split("\n")))
    version = of["Version"].replace("+", "%2B").replace(":", "%3A")
    purl = (f"pkg:deb/debian/{name.replace('+', '%2B')}@{version}"
            f"?arch={of['Architecture']}&distro=bookworm")
    return {
        "SPDXID": spdx_id(name),
        "name": name,
        "versionInfo": of["Version"],
        "supplier": "Organization: Debian",
        "sourceInfo": f"{of['source:Package']} {of['source:Version']}",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER",
                          "referenceType": "purl", "referenceLocator": purl}],
    }


def file(root, path):
    name = str(path.relative_to(root))
    return {
        "SPDXID": spdx_id(f"file-{name}"),
        "fileName": f"./{name}",
        "checksums": [
            {"algorithm": kind, "checksumValue": digest(path, kind)}
            for kind in ("SHA1", "SHA256")],
    }


def image(files):
    sums = sorted(each["checksums"][0]["checksumValue"] for each in files)
    return {
        "SPDXID": "SPDXRef-sittuyin",
        "name": "sittuyin",
        "versionInfo": re.search("^CMAKE_PROJECT_VERSION:STATIC=(.+)$",
                                 (BUILD / "CMakeCache.txt").read_text(),
                                 re.M)[1],
        "primaryPackagePurpose": "CONTAINER",
        "downloadLocation": "NOASSERTION",
        "licenseDeclared": "Apache-2.0",
        "filesAnalyzed": True,
        "packageVerificationCode": {
            "packageVerificationCodeValue":
                hashlib.sha1("".join(sums).encode()).hexdigest(),
            "packageVerificationCodeExcludedFiles": [f"./{BILL}"]},
    }


def relate(element, kind, related):
    return {"spdxElementId": element, "relationshipType": kind,
            "relatedSpdxElement": related}


def files_of(root):
    return sorted(path for path in root.rglob("*") if path.is_file())


def main():
    root = pathlib.Path(sys.argv[1])
    libraries = {path: owner("/" + str(path.relative_to(root)))
                 for path in files_of(root) if ".so." in path.name}
    contained = set(libraries.values())
    linked = {owner(path) for path in set(compiled_in())} - contained
    packages = sorted(contained | linked)
    for name in packages:
        notice = root / DOC / name / "copyright"
        notice.parent.mkdir(parents=True)
        notice.write_bytes((pathlib.Path("/") / DOC / name / "copyright")
                           .read_bytes())

    files = [file(root, path) for path in files_of(root)]
    relations = [relate("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-sittuyin")]
    relations += [relate("SPDXRef-sittuyin", "CONTAINS", each["SPDXID"])
                  for each in files]
    relations += [relate("SPDXRef-sittuyin",
                         "CONTAINS" if name in contained else "STATIC_LINK",
                         spdx_id(name)) for name in packages]
    relations += [relate(file(root, path)["SPDXID"], "EXPANDED_FROM_ARCHIVE",
                         spdx_id(name)) for path, name in libraries.items()]
    made = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]),
                                  timezone.utc)
    bill = {
        "spdxVersion": "SPDX-2.3",
        "SPDXID": "SPDXRef-DOCUMENT",
        "dataLicense": "CC0-1.0",
        "name": "sittuyin",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: sbom.py"]},
        "packages": [image(files), *map(package, packages)],
        "files": files,
        "relationships": relations,
    }
    bill["documentNamespace"] = uuid.uuid5(uuid.NAMESPACE_OID,
                                           json.dumps(bill)).urn
    (root / BILL).write_text(json.dumps(bill, indent=1) + "\n")


if __name__ == "__main__":
    main()
