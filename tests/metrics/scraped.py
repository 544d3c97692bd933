"""Metrics as whoever scrapes them reads them: samples by their name and labels."""

from collections import defaultdict
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from ginapi.api.metrics import report
from ginapi.service.house import House


class Samples(dict[str, float]):
    """Values by what stands before them: `ginapi_moves_total{by="clock"}`. One that is not there was not counted."""

    def __missing__(self, name: str) -> float:
        return 0.0


def samples_of(text: str) -> Samples:
    """The samples of an answer. Labels stand in the order of their names; a histogram's buckets are left out."""
    found = Samples()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sorted(sample.labels.items()))
            name = f"{sample.name}{{{labels}}}" if labels else sample.name
            if "le" not in sample.labels:
                assert name not in found, name
                found[name] = sample.value
    return found


class Meter:
    """What is counted from its beginning on: the tests of a process share one count."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._before = samples_of(report(house).decode())

    def added(self) -> dict[str, float]:
        """What has changed."""
        now = samples_of(report(self._house).decode())
        changed: defaultdict[str, Any] = defaultdict(float)
        for name, value in now.items():
            if value != self._before[name]:
                changed[name] = value - self._before[name]
        return dict(changed)
