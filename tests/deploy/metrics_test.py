#!/usr/bin/python3
"""Rules, runbooks and dashboard ask for what the server gives: Prometheus
scrapes real servers and answers every query of theirs, and Alertmanager tells
those whom it should."""

import argparse
import collections
import glob
import http.server
import json
import os
import re
import sys
import threading
import time
import unittest

import yaml

sys.path.append(os.path.join(os.path.dirname(__file__), "../integration"))
# pylint: disable=wrong-import-position
from dashboard import DASHBOARD, has_number, panels, substituted, targets
from doors import PATHS, GrpcDoor, Protos, RestDoor
from prometheus import Program, Prometheus
from server import Server

DATASOURCES = "deploy/grafana/provisioning/datasources/prometheus.yaml"
# Wrong on purpose: a refusal each.
REFUSED = (
    ("GameStatus", {"game": {"initialFen": "x"}}),
    ("LegalMoves", {"game": {"moves": ["K@e1", "K@e1"]}}),
    ("BestMove", {"level": 99}),
)
ILLEGAL = ("K@a8", "R@a2", "e4e5", "x")


def hasty(targets, alertmanager):
    """Prometheus's configuration that scrapes `targets` each second, with the
    rules of deploy/."""
    config = load("deploy/prometheus/prometheus.yml")
    config["global"] = dict.fromkeys(config["global"], "1s")
    config["rule_files"] = [
        os.path.abspath(os.path.join("deploy/prometheus", path))
        for path in config["rule_files"]]
    (manager,) = config["alerting"]["alertmanagers"]
    manager["static_configs"] = [{"targets": [alertmanager]}]
    (scrape,) = config["scrape_configs"]
    del scrape["dns_sd_configs"]
    scrape["static_configs"] = [{"targets": targets}]
    return config


class Alertmanager(Program):
    """As the example has it, but hasty; its receivers are paths of
    `address`."""

    def __init__(self, address):
        config = load("deploy/prometheus/alertmanager.yml")
        config["route"].update(group_wait="0s", group_interval="1s")
        for receiver in config["receivers"]:
            (hook,) = receiver["webhook_configs"]
            hook["url"] = f"http://{address}/{receiver['name']}"
        super().__init__("prometheus-alertmanager", config, "--storage.path",
                         "--cluster.listen-address=")  # It is alone.


class Receivers(http.server.ThreadingHTTPServer):
    """Keeps what they are told: `told` has lists of alerts by receiver."""

    def __init__(self):
        self.told = collections.defaultdict(list)

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(handler):  # pylint: disable=no-self-argument
                size = int(handler.headers["Content-Length"])
                self.told[handler.path[1:]] += json.loads(
                    handler.rfile.read(size))["alerts"]
                handler.send_response(200)
                handler.end_headers()

            def log_message(self, *unused):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.address = "127.0.0.1:%d" % self.server_address[1]
        threading.Thread(target=self.serve_forever).start()

    def __exit__(self, *unused):
        self.shutdown()
        super().__exit__()


def call_everything(server, protos):
    """Each method on both doors, refusals, illegal moves."""
    rest, grpc = RestDoor(server.rest), GrpcDoor(server.grpc, protos)
    for door in (rest, grpc):
        for rpc in PATHS:
            door.call(rpc, '{"limits": {"nodes": "3000"}}'
                      if rpc in ("BestMove", "Analyze") else "{}")
        for rpc, request in REFUSED:
            door.call(rpc, json.dumps(request))
        for move in ILLEGAL:
            door.call("ValidateMove", json.dumps({"move": move}))
    grpc.channel.close()


def fill_queue(server):
    """A dozen searches at once, where there is room for two."""
    press = [threading.Thread(target=lambda: RestDoor(server.rest).call(
        "BestMove", '{"limits": {"moveTime": "0.3s"}}')) for _ in range(12)]
    for thread in press:
        thread.start()
    for thread in press:
        thread.join()


def load(path):
    with open(path) as file:
        return yaml.safe_load(file)


class MetricsTest(unittest.TestCase):
    server_path = None

    @classmethod
    def setUpClass(cls):
        cls.servers = [cls.enterClassContext(Server(
            cls.server_path, "--search_workers=1", "--search_queue=1"))
                       for _ in range(2)]
        cls.receivers = cls.enterClassContext(Receivers())
        cls.alertmanager = cls.enterClassContext(
            Alertmanager(cls.receivers.address))
        cls.prometheus = cls.enterClassContext(Prometheus(hasty(
            [server.admin for server in cls.servers],
            cls.alertmanager.address)))
        protos = Protos()
        cls.prometheus.wait_for("count(up == 1) == 2")
        for server in cls.servers:
            call_everything(server, protos)
            fill_queue(server)
        # Until all of that is scraped, and the rules have seen it, which read
        # each other's results.
        now = time.time()
        cls.prometheus.wait_for(
            f"count(timestamp(sittuyin_draining) > {now}) == 2")
        for record in ("job:sittuyin_ready_replicas:sum",
                       "job_slo:sittuyin_burn:rate3d"):
            cls.prometheus.wait_for(f"timestamp({record}) > {now + 3}")

    def test_every_panel_has_data(self):
        for title, target in targets():
            with self.subTest(title, query=target["expr"]):
                found = self.prometheus.ask(substituted(target["expr"]))
                self.assertTrue(has_number(found))
                labels = set(re.findall(r"\{\{(\w+)\}\}",
                                        target["legendFormat"]))
                for item in found:
                    self.assertLessEqual(labels, set(item["metric"]))

    def test_every_rule_works(self):
        for rule in self.prometheus.rules():
            with self.subTest(rule["name"]):
                self.assertEqual((rule["health"], rule.get("lastError")),
                                 ("ok", None))
                found = self.prometheus.ask(rule["query"])
                if rule["type"] == "recording":
                    self.assertNotEqual(found, [])

    def test_searches_that_are_refused_wake_somebody(self):
        told = self.receivers.told
        self.alertmanager.wait_until("page", lambda: any(
            alert["labels"]["alertname"] == "SittuyinSearchBurnsFast"
            for alert in told["pager"]))
        for alert in sum(told.values(), []):
            with self.subTest(alert["labels"]["alertname"]):
                self.assertNotRegex(str(alert["annotations"]), "[<{]{2}|<no")

    def test_nobody_is_told_twice(self):
        def states():
            return {alert["labels"]["alertname"]: alert["status"]["state"]
                    for alert in self.alertmanager.get("v2/alerts")}
        wanted = {"SittuyinSearchBurnsFast": "active",
                  "SittuyinSearchBurnsSlowly": "suppressed",
                  "SittuyinAvailabilityBurnsFast": "suppressed"}
        self.alertmanager.wait_until(
            "states", lambda: wanted.items() <= states().items())

    def test_every_series_is_one_that_there_is(self):
        there = set(self.prometheus.data("label/__name__/values"))
        queries = [rule["query"] for rule in self.prometheus.rules()]
        queries += [target["expr"] for _, target in targets()]
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
                self.prometheus.ask(query)

    @staticmethod
    def queries_of_runbooks():
        queries = []
        for path in glob.glob("deploy/runbooks/*.md"):
            with open(path) as file:
                queries += re.findall(r"(?s)```promql\n(.*?)```", file.read())
        return queries

    def test_variables_of_the_dashboard_find_something(self):
        queries = [variable["query"] for variable
                   in load(DASHBOARD)["templating"]["list"]
                   if variable["type"] == "query"]
        for query in queries:
            series, label = re.fullmatch(
                r"label_values\((.+), (\w+)\)", substituted(query)).groups()
            found = {sample["metric"].get(label)
                     for sample in self.prometheus.ask(series)}
            self.assertEqual(found, {None} if label == "namespace" else
                             {server.admin for server in self.servers})

    def test_the_dashboard_is_sound(self):
        with open(DASHBOARD) as file:
            text = file.read()
        used = set(re.findall(r"\$\{?(\w+)", text))
        known = {variable["name"] for variable
                 in load(DASHBOARD)["templating"]["list"]}
        self.assertEqual(used - {"__rate_interval", "__all"}, known)
        ids = [panel["id"] for panel in panels()]
        self.assertEqual(len(ids), len(set(ids)))
        cells = [(x, y) for panel in panels()
                 for place in [panel["gridPos"]]
                 for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])]
        self.assertEqual(len(cells), len(set(cells)), "panels overlap")
        self.assertLess(max(x for x, _ in cells), 24)
        (source,) = load(DATASOURCES)["datasources"]
        self.assertIn(f'"value": "{source["uid"]}"', text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    args, rest_of_args = parser.parse_known_args()
    MetricsTest.server_path = args.server
    unittest.main(argv=sys.argv[:1] + rest_of_args, warnings="ignore")
