"""Both doors of a server, asked with JSON and answering with it."""

import http.client
import json
import re
import subprocess

from google.protobuf import descriptor_pb2, descriptor_pool, json_format
from google.protobuf import message_factory
import grpc

SERVICE = "sittuyin.v1.SittuyinService"
HEALTH = "grpc.health.v1.Health"
PATHS = {  # By hand, as the contract writes them.
    "ValidateMove": "/v1/validate-move",
    "LegalMoves": "/v1/legal-moves",
    "GameStatus": "/v1/game-status",
    "BestMove": "/v1/best-move",
    "ListRuleSets": "/v1/rule-sets",
    "Analyze": "/v1/analyze",
}
REFLECTION = [f"/grpc.reflection.{version}.ServerReflection/"
              "ServerReflectionInfo" for version in ("v1", "v1alpha")]
CACHEABLE = ("ValidateMove", "LegalMoves", "GameStatus")


class Protos:
    """The messages of protos/."""

    def __init__(self):
        files = subprocess.run(
            ["protoc", "-Iprotos", "--include_imports",
             "--descriptor_set_out=/dev/stdout", "sittuyin/v1/sittuyin.proto",
             "google/rpc/status.proto", "google/rpc/error_details.proto",
             "grpc/health/v1/health.proto"], check=True,
            stdout=subprocess.PIPE).stdout
        self.pool = descriptor_pool.DescriptorPool()
        for file in descriptor_pb2.FileDescriptorSet.FromString(files).file:
            self.pool.Add(file)
        self._factory = message_factory.MessageFactory(self.pool)

    def type_named(self, name):
        return self._factory.GetPrototype(
            self.pool.FindMessageTypeByName(name))

    def method(self, service, name):
        return self.pool.FindServiceByName(service).methods_by_name[name]

    def enum_names(self, name):
        """Without the zero, which stands for none."""
        values = self.pool.FindEnumTypeByName(name).values
        return {value.name for value in values if value.number}

    def from_json(self, text, type_name):
        return json_format.Parse(text, self.type_named(type_name)(),
                                 descriptor_pool=self.pool)

    def to_json(self, message):
        return json_format.MessageToDict(
            message, including_default_value_fields=True,
            descriptor_pool=self.pool)


class GrpcDoor:
    """`tls` are gRPC's channel credentials, `metadata` goes with each call."""

    def __init__(self, address, protos=None, tls=None, metadata=()):
        self.protos = protos or Protos()
        self.metadata = metadata
        self.channel = (grpc.secure_channel(address, tls) if tls
                        else grpc.insecure_channel(address))

    def call(self, rpc, request, service=SERVICE):
        """The answer, or the refusal as google.rpc.Status; a list of answers
        for a stream that was not refused."""
        try:
            if self.protos.method(service, rpc).server_streaming:
                return [self.protos.to_json(part)
                        for part in self.stream(rpc, request, service)]
            ask, message = self._prepare(rpc, request, service,
                                         self.channel.unary_unary)
            return self.protos.to_json(
                ask(message, timeout=60, metadata=self.metadata))
        except grpc.RpcError as error:
            return self.refusal(error)

    def stream(self, rpc, request, service=SERVICE):
        """The messages of a stream as they come; can be cancelled."""
        ask, message = self._prepare(rpc, request, service,
                                     self.channel.unary_stream)
        return ask(message, timeout=60, metadata=self.metadata)

    def _prepare(self, rpc, request, service, make):
        method = self.protos.method(service, rpc)
        ask = make(
            f"/{service}/{rpc}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=self.protos.type_named(
                method.output_type.full_name).FromString)
        return ask, self.protos.from_json(request, method.input_type.full_name)

    def refusal(self, error):
        """A failed call's google.rpc.Status."""
        details = dict(error.trailing_metadata()).get(
            "grpc-status-details-bin", b"")
        status = self.protos.type_named("google.rpc.Status").FromString(details)
        told = (error.code().value[0], error.details())
        if details and told != (status.code, status.message):
            raise AssertionError(f"{told} is not what {status} says")
        status.code, status.message = told
        return self.protos.to_json(status)


class Reply:
    def __init__(self, reply):
        self.code = reply.status
        self.headers = reply.headers
        self.body = reply.read()

    def json(self):
        return json.loads(self.body)


def verb_of(rpc):
    """The verb that takes a whole request."""
    return "GET" if rpc == "ListRuleSets" else "POST"


class RestDoor:
    """One connection that is kept; `tls` is an ssl.SSLContext, `headers` go
    with each request."""

    def __init__(self, address, tls=None, headers=()):
        self._connection = (
            http.client.HTTPSConnection(address, timeout=60, context=tls)
            if tls else http.client.HTTPConnection(address, timeout=60))
        self._headers = dict(headers)

    def ask(self, verb, path, body=None, headers=()):
        if isinstance(body, str):
            body = body.encode()
        self._connection.request(verb, path, body,
                                 {**self._headers, **dict(headers)})
        return Reply(self._connection.getresponse())

    def post(self, rpc, request, headers=()):
        verb = verb_of(rpc)
        return self.ask(verb, PATHS[rpc], None if verb == "GET" else request,
                        headers)

    def call(self, rpc, request):
        reply = self.post(rpc, request)
        if reply.headers["Content-Type"] == "application/x-ndjson":
            return [json.loads(line) for line in reply.body.splitlines()]
        return reply.json()


def snake(name):
    return re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name)


def camel(name):
    return re.sub("_(.)", lambda match: match[1].upper(), name)


def renamed(value, name):
    """`value` with every field's name put through `name`."""
    if isinstance(value, dict):
        return {name(key): renamed(item, name) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, name) for item in value]
    return value


def query(message, prefix=""):
    """The fields of a request as the pairs of its GET form."""
    for key, value in message.items():
        key = prefix + key
        if isinstance(value, dict):
            yield from query(value, key + ".")
            continue
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, str):
                item = json.dumps(item)
            yield key, item
