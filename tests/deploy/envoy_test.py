#!/usr/bin/python3
"""deploy/proxy/envoy.yaml is of Envoy's own types, and fits the service."""

import copy
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import yaml
from google.protobuf import descriptor_pb2, descriptor_pool, json_format
from google.protobuf import message_factory

sys.path.append(os.path.join(os.path.dirname(__file__), "../integration"))
# pylint: disable=wrong-import-position
from doors import PATHS, SERVICE

CONFIG = "deploy/proxy/envoy.yaml"
API = "build/npm/node_modules/@grpc/grpc-js-xds/deps"
BOOTSTRAP = "envoy.config.bootstrap.v3.Bootstrap"
RULES = "validate/validate.proto"
# The package's copy of it is older than one of its users, which knows more.
STRING_RULES = "message StringRules {"
NEWER_RULE = "optional bool ignore_empty = 26;"


def load(path):
    with open(path) as file:
        return list(yaml.safe_load_all(file))


def maps(value):
    """Every map in `value`."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from maps(item)


def file_of(type_url):
    """Where Envoy's API has the message; its files are named freely."""
    package, _, message = type_url.split("/")[1].rpartition(".")
    folder = os.path.join(API, "envoy-api", package.replace(".", "/"))
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as file:
            if f"\nmessage {message} {{" in file.read():
                return os.path.join(package.replace(".", "/"), name)
    raise FileNotFoundError(type_url)


def descriptors(files):
    """The pool of Envoy's messages in `files` and all that they use."""
    with tempfile.TemporaryDirectory() as newer:
        os.mkdir(f"{newer}/validate")
        with open(f"{API}/protoc-gen-validate/{RULES}") as file:
            text = file.read()
        with open(f"{newer}/{RULES}", "w") as file:
            file.write(text.replace(STRING_RULES, STRING_RULES + NEWER_RULE))
        built = subprocess.run(
            ["protoc", "--include_imports", "--descriptor_set_out=/dev/stdout",
             f"-I{newer}", *(f"-I{API}/{folder}" for folder in
                             ("envoy-api", "xds", "googleapis")), *files],
            check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(built).file:
        pool.Add(file)
    return pool


class Rules:
    """The rules on values that Envoy's messages carry, and that Envoy checks
    as it starts: the commonest of them."""

    HOLDS = {
        "gt": lambda value, bound: value > bound,
        "gte": lambda value, bound: value >= bound,
        "lt": lambda value, bound: value < bound,
        "lte": lambda value, bound: value <= bound,
        "min_len": lambda value, bound: len(value) >= bound,
        "min_items": lambda value, bound: len(value) >= bound,
    }
    REQUIRED = ("message", "duration", "any")

    def __init__(self, pool):
        self._pool = pool
        self._factory = message_factory.MessageFactory(pool)
        self._factory.GetMessages([RULES])
        self.checked = 0

    def _option(self, descriptor, kind, name):
        """What the extension `name` of the descriptor's options says."""
        options = self._factory.GetPrototype(self._pool.FindMessageTypeByName(
            f"google.protobuf.{kind}")).FromString(
                descriptor.GetOptions().SerializeToString())
        return options.Extensions[self._pool.FindExtensionByName(name)]

    def faults(self, message):
        """Names of fields in `message` and below that break a rule."""
        if message.DESCRIPTOR.full_name == "google.protobuf.Any":
            part = self._factory.GetPrototype(
                self._pool.FindMessageTypeByName(message.TypeName()))()
            message.Unpack(part)
            yield from self.faults(part)
            return
        for oneof in message.DESCRIPTOR.oneofs:
            if (self._option(oneof, "OneofOptions", "validate.required")
                    and not message.WhichOneof(oneof.name)):
                yield oneof.full_name
        for field in message.DESCRIPTOR.fields:
            yield from self._faults_of(message, field)

    def _faults_of(self, message, field):
        rules = self._option(field, "FieldOptions", "validate.rules")
        value = getattr(message, field.name)
        single = field.label != field.LABEL_REPEATED
        if field.containing_oneof and not message.HasField(field.name):
            return
        absent = (single and field.message_type is not None
                  and not message.HasField(field.name))
        for kind, limits in rules.ListFields():
            if absent:
                if kind.name in self.REQUIRED and limits.required:
                    yield field.full_name
                continue
            for limit, bound in limits.ListFields():
                if limit.name not in self.HOLDS:
                    continue
                self.checked += 1
                if not self.HOLDS[limit.name](self._plain(value),
                                              self._plain(bound)):
                    yield field.full_name
        if field.message_type is None or absent:
            return
        if field.message_type.GetOptions().map_entry:
            value = (value.values() if field.message_type.fields_by_name[
                "value"].message_type else ())
        for part in [value] if single else value:
            yield from self.faults(part)

    @staticmethod
    def _plain(value):
        """Durations as seconds, wrapped numbers as numbers."""
        if hasattr(value, "ToNanoseconds"):
            return value.ToNanoseconds() / 1e9
        return getattr(value, "value", value)


class EnvoyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (cls.config,) = load(CONFIG)
        cls.types = {part["@type"] for part in maps(cls.config)
                     if "@type" in part}
        cls.pool = descriptors(
            ["envoy/config/bootstrap/v3/bootstrap.proto",
             *sorted(map(file_of, cls.types))])
        cls.bootstrap = message_factory.MessageFactory(cls.pool).GetPrototype(
            cls.pool.FindMessageTypeByName(BOOTSTRAP))

    def parse(self, config):
        return json_format.ParseDict(config, self.bootstrap(),
                                     descriptor_pool=self.pool)

    def connections(self):
        (listener,) = self.config["static_resources"]["listeners"]
        (chain,) = listener["filter_chains"]
        return chain["filters"][0]["typed_config"]

    def routes(self):
        (host,) = self.connections()["route_config"]["virtual_hosts"]
        return host["routes"]

    def cluster(self):
        (cluster,) = self.config["static_resources"]["clusters"]
        return cluster

    def test_is_of_envoys_types(self):
        self.parse(self.config)
        self.assertEqual(len(self.types), 6)

    def test_keeps_the_rules_of_envoys_types(self):
        rules = Rules(self.pool)
        self.assertEqual(list(rules.faults(self.parse(self.config))), [])
        self.assertGreater(rules.checked, 50)

    def test_a_broken_rule_is_found(self):
        with open(CONFIG) as file:
            text = file.read()
        edits = {  # Field: what is written otherwise.
            "stat_prefix": ("stat_prefix: doors", ""),
            "name": ("- name: sittuyin\n    type", "- type"),
            "timeout": ("- timeout: 1s\n      interval", "- interval"),
            "dns_refresh_rate": ("rate: 5s", "rate: 0s"),
            "address": ("{address: 127.0.0.1, port_value: 9901}",
                        "{port_value: 9901}"),
            "base_interval": ("base_interval: 0.02s, ", ""),
            "max_tokens": ("max_tokens: 2000", ""),
            "cluster_specifier": ("cluster: sittuyin, timeout: 5s",
                                  "timeout: 5s"),
        }
        for field, (before, after) in edits.items():
            with self.subTest(field):
                self.assertEqual(text.count(before), 1)
                config = self.parse(yaml.safe_load(text.replace(before, after)))
                self.assertEqual([fault.split(".")[-1] for fault
                                  in Rules(self.pool).faults(config)], [field])

    def test_an_unknown_field_is_refused_anywhere(self):
        count = sum(1 for _ in maps(self.config))
        self.assertGreater(count, 50)
        for i in range(count):
            config = copy.deepcopy(self.config)
            part = list(maps(config))[i]
            if set(part) & {"envoy.filters.http.local_ratelimit",
                            "envoy.extensions.upstreams.http.v3."
                            "HttpProtocolOptions"}:
                continue  # Its keys are names.
            part["unknown"] = 1
            with self.subTest(part), self.assertRaises(json_format.ParseError):
                self.parse(config)

    def test_every_method_has_its_route(self):
        paths = {f"/{SERVICE}/{rpc}" for rpc in PATHS}
        matches = [route["match"] for route in self.routes()]
        exact = {match["path"] for match in matches if "path" in match}
        self.assertLessEqual(exact, paths)
        (prefix,) = [match["prefix"] for match in matches if "prefix" in match]
        self.assertEqual(matches[-1], {"prefix": prefix})
        self.assertTrue(all(path.startswith(prefix) for path in paths))

    def test_searches_have_time_and_limits_of_their_own(self):
        for route in self.routes():
            search = route["match"].get("path", "").endswith(
                ("/BestMove", "/Analyze"))
            self.assertEqual(route["route"]["timeout"],
                             "15s" if search else "5s")
            (limit,) = route["typed_per_filter_config"].values()
            self.assertEqual(limit["stat_prefix"],
                             "search" if search else "rules")
            self.assertEqual(limit["filter_enforced"]["default_value"],
                             {"numerator": 100})
        self.assertEqual([tuple(route["match"].values())[0].split("/")[-1]
                          for route in self.routes()],
                         ["BestMove", "Analyze", ""])

    def test_nothing_but_unavailable_is_asked_again(self):
        (host,) = self.connections()["route_config"]["virtual_hosts"]
        self.assertEqual(host["retry_policy"]["retry_on"],
                         "unavailable,connect-failure,refused-stream")
        for route in self.routes():
            self.assertNotIn("retry_policy", route["route"])

    def test_filters_stand_in_order(self):
        names = [part["name"] for part in self.connections()["http_filters"]]
        self.assertEqual([name.split(".")[-1] for name in names],
                         ["grpc_json_transcoder", "local_ratelimit", "router"])
        for route in self.routes():
            self.assertLessEqual(set(route["typed_per_filter_config"]),
                                 set(names))

    def test_the_transcoder_knows_the_service(self):
        with open(CONFIG) as file:
            text = re.sub(r"(?m)^# ?", "", file.read())
        command = shlex.split(re.search(
            r"(?s)protoc -I.*?error_details.proto", text)[0].replace("\\\n",
                                                                    " "))
        (out,) = [word for word in command if "descriptor_set_out" in word]
        command[command.index(out)] = "--descriptor_set_out=/dev/stdout"
        built = subprocess.run(command, check=True,
                               stdout=subprocess.PIPE).stdout
        pool = descriptor_pool.DescriptorPool()
        for file in descriptor_pb2.FileDescriptorSet.FromString(built).file:
            pool.Add(file)
        transcoder = self.connections()["http_filters"][0]["typed_config"]
        self.assertEqual(transcoder["services"], [SERVICE])
        self.assertEqual(os.path.basename(transcoder["proto_descriptor"]),
                         out.split("=")[1])
        http = pool.FindExtensionByName("google.api.http").number
        methods = pool.FindServiceByName(SERVICE).methods_by_name
        for rpc in PATHS:
            self.assertIn(http, [field.field_number for field in
                                 methods[rpc].GetOptions().UnknownFields()])
        for detail in ("ErrorInfo", "BadRequest", "RetryInfo", "QuotaFailure"):
            pool.FindMessageTypeByName(f"google.rpc.{detail}")

    def test_the_cluster_is_that_of_the_manifests(self):
        cluster = self.cluster()
        self.assertEqual({route["route"]["cluster"] for route in self.routes()},
                         {cluster["name"]})
        (endpoints,) = cluster["load_assignment"]["endpoints"]
        (endpoint,) = endpoints["lb_endpoints"]
        address = endpoint["endpoint"]["address"]["socket_address"]
        name, namespace, rest = address["address"].split(".", 2)
        self.assertEqual((namespace, rest), ("sittuyin", "svc.cluster.local"))
        (service,) = [object for object
                      in load("deploy/kubernetes/base/services.yaml")
                      if object["metadata"]["name"] == name]
        self.assertEqual(service["spec"]["clusterIP"], "None")
        self.assertEqual([port["port"] for port in service["spec"]["ports"]],
                         [address["port_value"]])
        (check,) = cluster["health_checks"]
        self.assertEqual(check["grpc_health_check"], {"service_name": SERVICE})
        self.assertIn("outlier_detection", cluster)

    def test_listens_on_loopback(self):
        addresses = [part["address"]["socket_address"]["address"] for part in
                     [self.config["admin"],
                      *self.config["static_resources"]["listeners"]]]
        self.assertEqual(set(addresses), {"127.0.0.1"})


if __name__ == "__main__":
    unittest.main()
