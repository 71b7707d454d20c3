#!/usr/bin/python3
"""Checks that well-known protos declared here fit the originals on the wire.

Every message, field, enum value, rpc and extension declared under
protos/google and protos/grpc must be in the original of the same name with
the same number, type, label and oneof.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2

OURS = {
    "google/api/annotations.proto": "google-proto-files",
    "google/api/http.proto": "google-proto-files",
    "google/rpc/error_details.proto": "google-proto-files",
    "google/rpc/status.proto": "google-proto-files",
    "grpc/health/v1/health.proto": "grpc-health-check/proto",
    "grpc/reflection/v1/reflection.proto": "grpc-js-reflection-client/proto",
    "grpc/reflection/v1alpha/reflection.proto":
        "grpc-js-reflection-client/proto",
}
# Where an original lies under another path than ours.
MOVED = {
    "grpc/health/v1/health.proto": "health/v1/health.proto",
    "grpc/reflection/v1/reflection.proto": "v1.proto",
    "grpc/reflection/v1alpha/reflection.proto": "v1alpha.proto",
}


def compile_proto(folder, path):
    """The FileDescriptorProto of `path` under `folder`."""
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(
            ["protoc", f"--proto_path={folder}", "--proto_path=/usr/include",
             f"--descriptor_set_out={out.name}", path],
            check=True)
        data = pathlib.Path(out.name).read_bytes()
    return descriptor_pb2.FileDescriptorSet.FromString(data).file[0]


def field_form(message, field):
    oneof = ""
    if field.HasField("oneof_index") and not field.proto3_optional:
        oneof = message.oneof_decl[field.oneof_index].name
    return (field.number, field.type, field.label, field.type_name, oneof)


def elements(file):
    """Every element by its name, with what it is on the wire."""
    found = {}

    def add_enum(prefix, enum):
        for value in enum.value:
            found[f"{prefix}{enum.name}.{value.name}"] = value.number

    def add_message(prefix, message):
        name = prefix + message.name
        found[name] = "message"
        for field in message.field:
            found[f"{name}.{field.name}"] = field_form(message, field)
        for nested in message.nested_type:
            add_message(name + ".", nested)
        for enum in message.enum_type:
            add_enum(name + ".", enum)

    package = file.package + "."
    for message in file.message_type:
        add_message(package, message)
    for enum in file.enum_type:
        add_enum(package, enum)
    for extension in file.extension:
        found[package + extension.name] = (
            extension.number, extension.type, extension.label,
            extension.type_name, extension.extendee)
    for service in file.service:
        for rpc in service.method:
            found[f"{package}{service.name}.{rpc.name}"] = (
                rpc.input_type, rpc.output_type, rpc.client_streaming,
                rpc.server_streaming)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--protos", required=True)
    parser.add_argument("--node_modules", required=True)
    args = parser.parse_args()
    differences = checked = 0
    for path, package in OURS.items():
        ours = elements(compile_proto(args.protos, path))
        theirs = elements(compile_proto(
            f"{args.node_modules}/{package}", MOVED.get(path, path)))
        for name, form in ours.items():
            checked += 1
            if theirs.get(name) != form:
                differences += 1
                print(f"{path}: {name}: {form}, originally {theirs.get(name)}")
    print(f"{checked} elements checked, {differences} differ")
    return 1 if differences or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
