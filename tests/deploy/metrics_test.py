#!/usr/bin/python3
"""Rules, runbooks and dashboard ask for what the server gives: Prometheus
scrapes real servers and answers every query of theirs."""

import argparse
import glob
import json
import math
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

import yaml

sys.path.append(os.path.join(os.path.dirname(__file__), "../integration"))
# pylint: disable=wrong-import-position
from doors import PATHS, GrpcDoor, Protos, RestDoor
from server import Server

DASHBOARD = "deploy/grafana/dashboards/sittuyin.json"
DATASOURCES = "deploy/grafana/provisioning/datasources/prometheus.yaml"
# What Grafana puts in, with "All" chosen.
VARIABLES = {"$namespace": ".*", "$instance": ".*", "$__rate_interval": "1m"}
TIMEOUT = 60
# Wrong on purpose: a refusal each.
REFUSED = (
    ("GameStatus", {"game": {"initialFen": "x"}}),
    ("LegalMoves", {"game": {"moves": ["K@e1", "K@e1"]}}),
    ("BestMove", {"level": 99}),
)
ILLEGAL = ("K@a8", "R@a2", "e4e5", "x")


class Prometheus:
    """Scrapes `targets` each second, with the rules of deploy/."""

    def __init__(self, targets):
        self._folder = tempfile.TemporaryDirectory()
        with open("deploy/prometheus/prometheus.yml") as file:
            config = yaml.safe_load(file)
        config["global"] = dict.fromkeys(config["global"], "1s")
        config["rule_files"] = [
            os.path.abspath(os.path.join("deploy/prometheus", path))
            for path in config["rule_files"]]
        del config["alerting"]
        (scrape,) = config["scrape_configs"]
        del scrape["dns_sd_configs"]
        scrape["static_configs"] = [{"targets": targets}]
        path = os.path.join(self._folder.name, "prometheus.yml")
        with open(path, "w") as file:
            yaml.safe_dump(config, file)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = "127.0.0.1:%d" % free.getsockname()[1]
        self._log = open(os.path.join(self._folder.name, "log"), "w+")
        self._process = subprocess.Popen(
            ["prometheus", f"--config.file={path}", "--log.level=warn",
             f"--storage.tsdb.path={self._folder.name}/data",
             f"--web.listen-address={self.address}"],
            stdout=self._log, stderr=subprocess.STDOUT)

    def get(self, path, **parameters):
        """The answer's data, or its error as text."""
        query = urllib.parse.urlencode(parameters)
        try:
            with urllib.request.urlopen(
                    f"http://{self.address}/api/v1/{path}?{query}") as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            return json.load(error)["error"]

    def ask(self, query):
        return self.get("query", query=query)

    def wait_for(self, query):
        """Until the query has a result."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            if self._is_ready() and self.ask(query)["result"]:
                return
            time.sleep(0.2)
        self._log.seek(0)
        raise TimeoutError(f"{query}: {self._log.read()}")

    def _is_ready(self):
        try:
            with urllib.request.urlopen(f"http://{self.address}/-/ready"):
                return True
        except OSError:
            return False

    def stop(self):
        self._process.terminate()
        self._process.wait(TIMEOUT)
        self._log.close()
        self._folder.cleanup()


def call_everything(server, protos):
    """Each method on both doors, refusals, illegal moves, a full queue."""
    rest, grpc = RestDoor(server.rest), GrpcDoor(server.grpc, protos)
    for door in (rest, grpc):
        for rpc in PATHS:
            door.call(rpc, '{"limits": {"nodes": "3000"}}'
                      if rpc in ("BestMove", "Analyze") else "{}")
        for rpc, request in REFUSED:
            door.call(rpc, json.dumps(request))
        for move in ILLEGAL:
            door.call("ValidateMove", json.dumps({"move": move}))
    press = [threading.Thread(target=lambda: RestDoor(server.rest).call(
        "BestMove", '{"limits": {"moveTime": "0.3s"}}')) for _ in range(4)]
    for thread in press:
        thread.start()
    for thread in press:
        thread.join()
    grpc.channel.close()


def panels():
    with open(DASHBOARD) as file:
        return json.load(file)["panels"]


def substituted(query):
    for variable, value in VARIABLES.items():
        query = query.replace(variable, value)
    return query


def numbers(data):
    return [float(sample["value"][1]) for sample in data["result"]]


class MetricsTest(unittest.TestCase):
    server_path = None

    @classmethod
    def setUpClass(cls):
        cls.servers = [cls.enterClassContext(Server(
            cls.server_path, "--search_workers=1", "--search_queue=1"))
                       for _ in range(2)]
        cls.prometheus = Prometheus([server.admin for server in cls.servers])
        cls.addClassCleanup(cls.prometheus.stop)
        protos = Protos()
        cls.prometheus.wait_for("count(up == 1) == 2")
        for server in cls.servers:
            call_everything(server, protos)
        # Until all of that is scraped, and the rules have seen it, which read
        # each other's results.
        now = time.time()
        cls.prometheus.wait_for(
            f"count(timestamp(sittuyin_draining) > {now}) == 2")
        for record in ("job:sittuyin_ready_replicas:sum",
                       "job_slo:sittuyin_burn:rate3d"):
            cls.prometheus.wait_for(f"timestamp({record}) > {now + 3}")

    def test_every_panel_has_data(self):
        for panel in panels():
            if panel["type"] == "row":
                continue
            for target in panel["targets"]:
                with self.subTest(panel["title"], query=target["expr"]):
                    data = self.prometheus.ask(substituted(target["expr"]))
                    self.assertIsInstance(data, dict, data)
                    self.assertTrue(any(math.isfinite(number)
                                        for number in numbers(data)))
                    labels = set(re.findall(r"\{\{(\w+)\}\}",
                                            target["legendFormat"]))
                    for sample in data["result"]:
                        self.assertLessEqual(labels, set(sample["metric"]))

    def test_every_rule_works(self):
        rules = [rule for group in self.prometheus.get("rules")["groups"]
                 for rule in group["rules"]]
        self.assertGreater(len(rules), 0)
        for rule in rules:
            with self.subTest(rule["name"]):
                self.assertEqual((rule["health"], rule.get("lastError")),
                                 ("ok", None))
                data = self.prometheus.ask(rule["query"])
                self.assertIsInstance(data, dict, data)
                if rule["type"] == "recording":
                    self.assertNotEqual(data["result"], [])

    def test_searches_that_are_refused_wake_somebody(self):
        self.prometheus.wait_for('ALERTS{alertname="SittuyinSearchBurnsFast",'
                                 'alertstate="firing"}')
        for alert in self.prometheus.get("alerts")["alerts"]:
            with self.subTest(alert["labels"]["alertname"]):
                self.assertNotRegex(str(alert["annotations"]), "[<{]{2}|<no")

    def test_every_series_is_one_that_there_is(self):
        there = set(self.prometheus.get("label/__name__/values"))
        queries = [rule["query"] for group in
                   self.prometheus.get("rules")["groups"]
                   for rule in group["rules"]]
        queries += [target["expr"] for panel in panels()
                    for target in panel.get("targets", ())]
        queries += self.queries_of_runbooks()
        asked = {name for query in queries for name in re.findall(
            r"(?<![\w:])(?:[\w:]+:)?(?:sittuyin|process)_[\w:]+", query)}
        self.assertGreater(len(asked), 20)
        self.assertEqual(asked - there, set())

    def test_queries_of_runbooks_work(self):
        queries = self.queries_of_runbooks()
        self.assertGreater(len(queries), 0)
        for query in queries:
            with self.subTest(query):
                self.assertIsInstance(self.prometheus.ask(query), dict)

    @staticmethod
    def queries_of_runbooks():
        queries = []
        for path in glob.glob("deploy/runbooks/*.md"):
            with open(path) as file:
                queries += re.findall(r"(?s)```promql\n(.*?)```", file.read())
        return queries

    def test_variables_of_the_dashboard_find_something(self):
        with open(DASHBOARD) as file:
            dashboard = json.load(file)
        queries = [variable["query"] for variable
                   in dashboard["templating"]["list"]
                   if variable["type"] == "query"]
        for query in queries:
            series, label = re.fullmatch(
                r"label_values\((.+), (\w+)\)", substituted(query)).groups()
            found = {sample["metric"].get(label)
                     for sample in self.prometheus.ask(series)["result"]}
            self.assertEqual(found, {None} if label == "namespace" else
                             {server.admin for server in self.servers})

    def test_the_dashboard_is_sound(self):
        with open(DASHBOARD) as file:
            text = file.read()
        used = set(re.findall(r"\$\{?(\w+)", text))
        known = {variable["name"] for variable
                 in json.loads(text)["templating"]["list"]}
        self.assertEqual(used - {"__rate_interval", "__all"}, known)
        ids = [panel["id"] for panel in panels()]
        self.assertEqual(len(ids), len(set(ids)))
        cells = [(x, y) for panel in panels()
                 for place in [panel["gridPos"]]
                 for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])]
        self.assertEqual(len(cells), len(set(cells)), "panels overlap")
        self.assertLess(max(x for x, _ in cells), 24)
        with open(DATASOURCES) as file:
            (source,) = yaml.safe_load(file)["datasources"]
        self.assertIn(f'"value": "{source["uid"]}"', text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    args, rest_of_args = parser.parse_known_args()
    MetricsTest.server_path = args.server
    unittest.main(argv=sys.argv[:1] + rest_of_args, warnings="ignore")
