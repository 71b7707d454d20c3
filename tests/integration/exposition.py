"""What a page of /metrics says."""

import re


class Exposition:
    """The series of /metrics by name and labels."""

    def __init__(self, text):
        self.text = text
        self.types = dict(re.findall(r"(?m)^# TYPE (\S+) (\w+)$", text))
        self.series = {}
        for line in text.splitlines():
            if line and not line.startswith("#"):
                series, value = line.rsplit(" ", 1)
                name, _, labels = series.partition("{")
                pairs = frozenset(re.findall(r'(\w+)="([^"]*)"', labels))
                self.series[name, pairs] = float(value)

    def value(self, name, **labels):
        return self.series[name, frozenset(labels.items())]

    def labels(self, name):
        return [dict(pairs) for other, pairs in self.series if other == name]
