"""Prometheus on a host, in a time that runs faster."""

import glob
import os
import re
import tempfile
import time

import yaml

from dashboard import has_number, substituted, targets
from names import NAME
from prometheus import Prometheus

FASTER = 60  # An hour of the rules is a minute here.
MILLISECONDS = {"s": 1e3, "m": 60e3, "h": 3600e3, "d": 86400e3}


def faster(text):
    """Every duration in YAML or PromQL made shorter; the names of recorded
    series, job:sittuyin_x:rate5m, stay what they are."""
    def shorter(found):
        return f"{int(found[1]) * MILLISECONDS[found[2]] / FASTER:.0f}ms"
    return re.sub(r"\b(\d+)([smhd])\b", shorter, text)


def _faster_config(folder):
    """The repository's, with copies of its rules in `folder` and without
    Alertmanager."""
    for path in glob.glob("deploy/prometheus/rules/*.yaml"):
        with open(path) as rules, open(
                f"{folder}/{os.path.basename(path)}", "w") as copy:
            copy.write(faster(rules.read()))
    with open("deploy/prometheus/prometheus.yml") as file:
        config = yaml.safe_load(faster(file.read()))
    config["rule_files"] = [f"{folder}/*.yaml"]
    del config["alerting"]
    (scrape,) = config["scrape_configs"]
    scrape["dns_sd_configs"][0]["names"] = [NAME]
    return config


class Monitor:
    """Scrapes whatever has the replicas' name, until the exit of a `with`."""

    def __init__(self, host):
        self._folder = tempfile.TemporaryDirectory()
        self._prometheus = Prometheus(
            _faster_config(self._folder.name), address=f"{host.address}:9090",
            prefix=host.prefix)
        self._prometheus.wait_for("up == 1")

    def _firing(self):
        return {alert["labels"]["alertname"]
                for alert in self._prometheus.data("alerts")["alerts"]
                if alert["state"] == "firing"}

    def await_alerts(self, names, firing, seconds):
        """Prints after how long each is firing, or no more; returns whether
        one took longer than `seconds`, or was firing before."""
        begin, left = time.monotonic(), set(names)
        early = left & self._firing() if firing else set()
        for name in sorted(early):
            print(f"  {name} fired before its cause: MISSED", flush=True)
        while left and time.monotonic() - begin < seconds:
            time.sleep(0.1)
            now = self._firing()
            for name in sorted(left & now if firing else left - now):
                left.remove(name)
                print(f"  {name} {'fires' if firing else 'has cleared'} after "
                      f"{time.monotonic() - begin:.1f} s", flush=True)
        for name in sorted(left):
            print(f"  {name} {'does not fire' if firing else 'still fires'} "
                  f"after {seconds} s: MISSED", flush=True)
        return bool(left or early)

    def silent_panels(self, seconds):
        """Prints how many of the dashboard's queries have had data within
        `seconds`; returns whether one had none. In so fast a time even a
        search that lasts falls out of a rate now and then."""
        asked = [(title, faster(substituted(target["expr"])))
                 for title, target in targets()]
        silent, end = asked, time.monotonic() + seconds
        while silent and time.monotonic() < end:
            silent = [pair for pair in silent
                      if not has_number(self._prometheus.ask(pair[1]))]
            time.sleep(0.2)
        print(f"  {len(asked) - len(silent)} of {len(asked)} queries of the "
              "dashboard have data", flush=True)
        for title, query in silent:
            print(f"  NO DATA: {title}: {query}")
        return bool(silent) or not asked

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self._prometheus.__exit__()
        self._folder.cleanup()
