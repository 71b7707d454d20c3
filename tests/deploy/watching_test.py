#!/usr/bin/python3
"""The rules, their runbooks and the routes of alerts, without a server."""

import glob
import os
import re
import subprocess
import tempfile
import unittest

import yaml

RULES = sorted(glob.glob("deploy/prometheus/rules/*.yaml"))
TESTS = sorted(glob.glob("tests/deploy/rules/*_test.yaml"))
RUNBOOKS = "https://example.org/sittuyin/runbooks/"
# What each section of a runbook says, in this order.
SECTION = ("Players", "Look", "Causes", "Do", "Clears")


def load(path):
    with open(path) as file:
        return yaml.safe_load(file)


def rules():
    return [rule for path in RULES for group in load(path)["groups"]
            for rule in group["rules"]]


def alerts():
    return {rule["alert"]: rule for rule in rules() if "alert" in rule}


def sections():
    """The text of each section of a runbook by page and anchor."""
    found = {}
    for path in glob.glob("deploy/runbooks/*.md"):
        with open(path) as file:
            parts = re.split(r"(?m)^## (.+)$", file.read())
        for heading, text in zip(parts[1::2], parts[2::2]):
            found[f"{os.path.basename(path)}#{heading.lower()}"] = text
    return found


def labels(series):
    return dict(re.findall(r'(\w+)="([^"]*)"', series))


def seconds(time):
    factors = {"s": 1, "m": 60, "h": 3600, "d": 86400}
    return sum(int(number) * factors[unit]
               for number, unit in re.findall(r"(\d+)([smhd])", time))


def looks():
    """What the unit tests ask about alerts that fire, in the order of time:
    test, pattern of the names, series."""
    for path in TESTS:
        for test in load(path)["tests"]:
            asked = sorted(test["promql_expr_test"],
                           key=lambda ask: seconds(ask["eval_time"]))
            for ask in asked:
                names = re.search(r'ALERTS\{.*alertname=~?"([^"]+)"',
                                  ask["expr"])
                if names and "firing" in ask["expr"]:
                    yield test["name"], names[1], [
                        labels(sample["labels"])
                        for sample in ask["exp_samples"]]


class WatchingTest(unittest.TestCase):
    def passes(self, *command):
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_prometheus_takes_its_files(self):
        out = self.passes("promtool", "check", "config",
                          "deploy/prometheus/prometheus.yml")
        self.assertIn(f"{len(RULES)} rule files found", out)

    def test_rules_pass_their_unit_tests(self):
        self.passes("promtool", "test", "rules", *TESTS)

    def test_every_alert_fires_and_clears_in_a_unit_test(self):
        fired, cleared = {}, set()
        for test, names, firing in looks():
            now = {series["alertname"] for series in firing}
            fired.update({(test, series["alertname"]): series
                          for series in firing})
            cleared |= {name for other, name in fired
                        if other == test and name not in now
                        and re.fullmatch(names, name)}
        self.assertEqual({name for _, name in fired}, set(alerts()))
        self.assertEqual(cleared, set(alerts()))
        for (_, name), series in fired.items():
            text = str(alerts()[name]["annotations"])
            used = set(re.findall(r"\$labels\.(\w+)", text))
            self.assertLessEqual(used, set(series), name)

    def test_a_unit_test_may_fail(self):
        with open("tests/deploy/rules/fast_test.yaml") as file:
            text = file.read()
        broken = text.replace("../../../", os.getcwd() + "/").replace(
            'code="UNAVAILABLE"', 'code="NOT_FOUND"')
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(broken)
            file.flush()
            done = subprocess.run(["promtool", "test", "rules", file.name],
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("SittuyinAvailabilityBurnsFast", done.stdout)

    def test_every_alert_says_what_it_must(self):
        for name, rule in alerts().items():
            with self.subTest(name):
                self.assertIn(rule["labels"]["severity"], ("page", "ticket"))
                self.assertEqual(set(rule["annotations"]),
                                 {"summary", "description", "runbook_url"})
                self.assertLessEqual(len(rule["annotations"]["summary"]), 70)

    def test_every_alert_has_its_section_and_every_section_its_alert(self):
        wanted = {rule["annotations"]["runbook_url"]: name
                  for name, rule in alerts().items()}
        self.assertEqual({RUNBOOKS + anchor for anchor in sections()},
                         set(wanted))
        for url, name in wanted.items():
            self.assertTrue(url.endswith("#" + name.lower()), url)

    def test_every_section_tells_all(self):
        for anchor, text in sections().items():
            self.assertEqual(tuple(re.findall(r"(?m)^\*\*(\w+)\.\*\*", text)),
                             SECTION, anchor)

    def test_links_of_runbooks_lead_somewhere(self):
        anchors = sections()
        for path in glob.glob("deploy/runbooks/*.md"):
            with open(path) as file:
                links = re.findall(r"\]\(([^)]+)\)", file.read())
            for link in links:
                page, _, anchor = link.partition("#")
                page = os.path.join(os.path.dirname(path),
                                    page or os.path.basename(path))
                self.assertTrue(os.path.exists(page), link)
                if anchor:
                    self.assertIn(f"{os.path.basename(page)}#{anchor}", anchors)

    def test_commands_of_runbooks_are_commands(self):
        for path in glob.glob("deploy/runbooks/*.md"):
            with open(path) as file:
                commands = re.findall(r"(?s)```sh\n(.*?)```", file.read())
            self.assertGreater(len(commands), 0, path)
            for command in commands:
                self.passes("bash", "-n", "-c", command)

    def test_readme_tells_the_promises(self):
        with open("README.md", encoding="utf-8") as file:
            told = re.findall(r"(?m)^\| .+ \| ([\d.]+) % \|$", file.read())
        budgets = [rule["expr"] for rule in rules()
                   if rule.get("record") == "slo:sittuyin_budget:ratio"]
        self.assertEqual([f"vector({round(1 - float(share) / 100, 6)})"
                          for share in told], budgets)

    def test_the_memory_limit_is_that_of_the_manifests(self):
        pod = load("deploy/kubernetes/base/deployment.yaml")["spec"]["template"]
        limit = pod["spec"]["containers"][0]["resources"]["limits"]["memory"]
        self.assertIn(f"> 0.9 * {limit.removesuffix('Mi')} * 2^20",
                      alerts()["SittuyinMemoryNearLimit"]["expr"])

    def test_alertmanager_sends_each_alert_to_its_receiver(self):
        config = "deploy/prometheus/alertmanager.yml"
        self.passes("amtool", "check-config", config)
        receivers = {"page": "pager", "ticket": "tickets"}
        for name, rule in alerts().items():
            severity = rule["labels"]["severity"]
            self.passes("amtool", "config", "routes", "test",
                        f"--config.file={config}",
                        f"--verify.receivers={receivers[severity]}",
                        f"alertname={name}", f"severity={severity}",
                        "job=sittuyin")

    def test_alertmanager_mutes_alerts_that_there_are(self):
        config = load("deploy/prometheus/alertmanager.yml")
        for rule in config["inhibit_rules"]:
            for side in ("source_matchers", "target_matchers"):
                (matcher,) = rule[side]
                pattern = matcher.split()[-1].strip('"')
                for part in pattern.split("|"):
                    self.assertTrue(any(re.fullmatch(part, name)
                                        for name in alerts()), part)


if __name__ == "__main__":
    unittest.main()
