# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the JSON, the page and the trace of a plan are well formed and agree.

check_plan.py JSON HTML TRACE
"""
import html.parser
import json
import sys


class Page(html.parser.HTMLParser):
    """Collects the text; every tag that is opened is closed."""

    EMPTY = {"meta", "br"}

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.tags = [], [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        self.texts.append(data)


def main(json_path, html_path, trace_path):
    with open(json_path, encoding="utf-8") as file:
        plan = json.load(file)
    names = [kernel["name"] for kernel in plan["kernels"]]
    assert names
    assert all(kernel["device"] == "cpu" for kernel in plan["kernels"])
    for index, kernel in enumerate(plan["kernels"]):
        groups = [plan["kernels"][edge["from"]]["group"] for edge in kernel["waits_for"]]
        assert kernel["group"] == 1 + max(groups, default=0), f"group of kernel {index}"
        for edge in kernel["waits_for"]:
            first = plan["kernels"][edge["from"]]
            assert edge["reason"] in ("raw", "war", "waw", "after")
            if edge.get("buffer"):
                assert edge["reason"] != "raw" or edge["buffer"] in first["writes"] and edge["buffer"] in kernel["reads"]
            if first["start_us"] is not None and kernel["start_us"] is not None:
                assert first["start_us"] + first["time_us"] <= kernel["start_us"] + 1e-3, f"kernel {index} starts too soon"
    for buffer in plan["buffers"]:
        if buffer["offset"] is not None:
            assert buffer["offset"] + buffer["bytes"] <= plan["arena_bytes"]

    with open(html_path, encoding="utf-8") as file:
        page = Page(file.read())
    text = "".join(page.texts)
    assert all(name in text for name in names)
    assert not any("src" in attributes or "href" in attributes for _, attributes in page.tags), "needs another file"
    boxes = [attributes for tag, attributes in page.tags if attributes.get("class") == "kernel"]
    assert len(boxes) == len(names)
    edges = [attributes for tag, attributes in page.tags if attributes.get("class", "").startswith("edge ")]
    assert len(edges) == sum(len(kernel["waits_for"]) for kernel in plan["kernels"])

    with open(trace_path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    runs = [event for event in events if event["ph"] == "X"]
    assert sorted(event["name"] for event in runs) == sorted(k["name"] for k in plan["kernels"] if k["start_us"] is not None)
    assert all(event["dur"] >= 0 and event["ts"] >= 0 and "tid" in event for event in runs)
    starts = sum(event["ph"] == "s" for event in events)
    assert starts == sum(event["ph"] == "f" for event in events)


if __name__ == "__main__":
    main(*sys.argv[1:])
