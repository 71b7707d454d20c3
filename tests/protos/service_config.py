#!/usr/bin/python3
"""The service config names every method once, and retries what may be."""

import json
import os
import sys
import unittest

sys.path.append(os.path.join(os.path.dirname(__file__), "../integration"))
from doors import Protos, SERVICE  # pylint: disable=wrong-import-position

PATH = "protos/sittuyin/v1/service_config.json"


class ServiceConfigTest(unittest.TestCase):
    def setUp(self):
        with open(PATH, encoding="ascii") as file:
            self.config = json.load(file)

    def test_every_method_is_named_once(self):
        named = [(name["service"], name["method"])
                 for method in self.config["methodConfig"]
                 for name in method["name"]]
        service = Protos().pool.FindServiceByName(SERVICE)
        self.assertCountEqual(
            named, [(SERVICE, method.name) for method in service.methods])

    def test_only_unavailable_is_retried(self):
        for method in self.config["methodConfig"]:
            self.assertEqual(method["retryPolicy"]["retryableStatusCodes"],
                             ["UNAVAILABLE"])
            self.assertRegex(method["timeout"], r"^\d+s$")

    def test_retries_are_throttled_and_calls_spread(self):
        self.assertIn("retryThrottling", self.config)
        self.assertIn({"round_robin": {}}, self.config["loadBalancingConfig"])
        self.assertEqual(self.config["healthCheckConfig"],
                         {"serviceName": SERVICE})


if __name__ == "__main__":
    unittest.main()
