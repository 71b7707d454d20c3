"""What the dashboard asks of Prometheus."""

import json
import math

DASHBOARD = "deploy/grafana/dashboards/sittuyin.json"
# What Grafana puts in, with "All" chosen.
VARIABLES = {"$namespace": ".*", "$instance": ".*", "$__rate_interval": "1m"}


def panels():
    with open(DASHBOARD) as file:
        return json.load(file)["panels"]


def targets():
    """The title of each panel and what it asks, query by query."""
    for panel in panels():
        for target in panel.get("targets", ()):
            yield panel["title"], target


def substituted(query):
    for variable, value in VARIABLES.items():
        query = query.replace(variable, value)
    return query


def has_number(found):
    """Whether one of the samples is a number."""
    return any(math.isfinite(float(sample["value"][1])) for sample in found)
