"""Metrics for Prometheus, by the names that vLLM's have after the prefix `rlx:`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from rlx.serve.answer import Answering
    from rlx.serve.models import ModelList

_SECONDS = (0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 320)
_GAPS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5)
_TOKENS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)
_GAUGES = {
    "running": ("num_requests_running", "sequences that a step computes"),
    "waiting": ("num_requests_waiting", "sequences that wait for their first step"),
}
_COUNTERS = {
    "preemptions": ("num_preemptions", "sequences put back since pages ran out"),
    "prefix_hits": ("prefix_cache_hits", "prompt tokens found in the prefix cache"),
    "prefix_queries": ("prefix_cache_queries", "prompt tokens looked up in the prefix cache"),
    "tokens_in": ("prompt_tokens", "prompt tokens"),
    "tokens_out": ("generation_tokens", "generated tokens"),
}


class Metrics:
    """A registry of its own: histograms that answers are noted in, and the engines' counts as they are when asked for."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=False)
        self.first = self._histogram("time_to_first_token_seconds", "until the first piece", _SECONDS)
        self.gaps = self._histogram("inter_token_latency_seconds", "between pieces", _GAPS)
        self.whole = self._histogram("e2e_request_latency_seconds", "of a whole request", _SECONDS)
        self.prompts = self._histogram("request_prompt_tokens", "prompt tokens of a request", _TOKENS)
        self.texts = self._histogram("request_generation_tokens", "generated tokens of a text", _TOKENS)
        labels = ["model_name", "finished_reason"]
        self.ended = Counter("rlx:request_success", "texts by why they ended", labels, registry=self.registry)

    def _histogram(self, name: str, help_text: str, buckets: tuple[float, ...]) -> Histogram:
        return Histogram(f"rlx:{name}", help_text, ["model_name"], buckets=buckets, registry=self.registry)

    def watch(self, models: ModelList) -> None:
        """Read the engines of these models whenever metrics are asked for."""
        self.registry.register(EngineCollector(models))

    def note(self, answering: Answering) -> None:
        """An answer is over."""
        name = answering.wanted.served.name
        if answering.first is not None:
            self.first.labels(name).observe(answering.first - answering.began)
        gaps = self.gaps.labels(name)
        for gap in answering.gaps:
            gaps.observe(gap)
        self.whole.labels(name).observe(answering.last - answering.began)
        self.prompts.labels(name).observe(answering.prompt_tokens)
        for row in answering.rows:
            self.texts.labels(name).observe(len(row.ids))
            self.ended.labels(name, "abort" if row.finish in ("cancelled", "interrupted") else row.reason).inc()

    def text(self) -> bytes:
        """What Prometheus reads."""
        return generate_latest(self.registry)


class EngineCollector(Collector):
    """The engines' own counts."""

    def __init__(self, models: ModelList) -> None:
        self.models = models

    def collect(self) -> Iterator[Metric]:
        """One family of each, with a sample of each model."""
        engines = {one.name: one.engine.stats() for one in self.models.models}
        for field, (name, help_text) in _GAUGES.items():
            gauge = GaugeMetricFamily(f"rlx:{name}", help_text, labels=["model_name"])
            for model, stats in engines.items():
                gauge.add_metric([model], getattr(stats, field))
            yield gauge
        usage = GaugeMetricFamily("rlx:kv_cache_usage_perc", "share of the pages in use, 0 to 1", labels=["model_name"])
        for model, stats in engines.items():
            usage.add_metric([model], stats.pages_used / max(stats.pages_total, 1))
        yield usage
        for field, (name, help_text) in _COUNTERS.items():
            counter = CounterMetricFamily(f"rlx:{name}", help_text, labels=["model_name"])
            for model, stats in engines.items():
                counter.add_metric([model], getattr(stats, field))
            yield counter
