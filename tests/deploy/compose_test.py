#!/usr/bin/python3
"""deploy/compose.yaml: it is valid, what it mounts is there, and nginx takes
the configuration that it makes."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import yaml


class ComposeTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        told = subprocess.run(
            ["docker-compose", "--file", "deploy/compose.yaml", "config"],
            check=True, stdout=subprocess.PIPE, text=True).stdout
        cls.services = yaml.safe_load(told)["services"]

    def all_of(self, name):
        return [item for service in self.services.values()
                for item in service.get(name, [])]

    def test_replicas_are_three_and_confined(self):
        server = self.services["sittuyin"]
        self.assertEqual(server["deploy"]["replicas"], 3)
        self.assertEqual((server["read_only"], server["cap_drop"],
                          server["security_opt"]),
                         (True, ["ALL"], ["no-new-privileges:true"]))
        context = pathlib.Path(server["build"]["context"])
        self.assertTrue((context / server["build"]["dockerfile"]).is_file())

    def test_mounts_are_there_and_read_only(self):
        self.assertEqual(len(self.all_of("volumes")), 5)
        for volume in self.all_of("volumes"):
            source, _, mode = volume.split(":")
            self.assertTrue(os.path.exists(source), source)
            self.assertEqual(mode, "ro", volume)

    def test_ports_are_open_to_this_machine_alone(self):
        self.assertEqual(len(self.all_of("ports")), 5)
        for port in self.all_of("ports"):
            self.assertRegex(port, r"^127\.0\.0\.1:")

    def test_nginx_takes_its_configuration(self):
        proxy = self.services["proxy"]
        with tempfile.TemporaryDirectory() as folder:
            command = proxy["command"][-1]
            for inside, here in (
                    ("/tmp", folder),
                    (" /nginx.conf", " deploy/proxy/nginx.conf"),
                    ("sittuyin:", "127.0.0.2:"),  # A name of its network's.
                    ("exec nginx", "/usr/sbin/nginx -t")):
                self.assertIn(inside, command)
                command = command.replace(inside, here)
            done = subprocess.run(["sh", "-ec", command], text=True,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout)
            text = pathlib.Path(folder, "nginx.conf").read_text(
                encoding="utf-8")
        self.assertEqual(re.findall(r"server (\S+:\d+)", text),
                         ["127.0.0.2:50051", "127.0.0.2:8080"])
        self.assertEqual(re.findall(r"listen (\d+)\b", text),
                         [re.search(r":(\d+)/tcp$", port)[1]
                          for port in proxy["ports"]])


if __name__ == "__main__":
    unittest.main(warnings="ignore")
