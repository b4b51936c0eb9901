"""Tables of what a reader accepts, with what it finds, and of what it refuses as malformed."""
import json
import pathlib
import re
import sys

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "vectors"


class Malformed(Exception):
    """Which rule is broken."""


def must(holds, rule):
    if not holds:
        raise Malformed(rule)


def hex_of(data):
    """Pieces: bytes in hexadecimal digits, where runs of one byte are short."""
    runs = re.finditer(rb"(?s)(.)\1{15,}|((?!(.)\3{15}).)+", data)
    return [f"{run[1].hex()} * {len(run[0])}" if run[1] else run[0].hex() for run in runs]


class Table:
    """Cases by their names. The text decided which are bad; `found` gives what a good one has, or
    raises Malformed."""

    def __init__(self, path, source, labels, pieces, found):
        self.path, self.head, self.labels = VECTORS / path, {"source": source}, labels
        self.pieces, self.found, self.good, self.bad = pieces, found, {}, {}

    def text(self):
        """The file, and the names of cases that were found to be otherwise."""
        cases, wrong = {**self.good, **self.bad}, []
        lines = []
        for name, data in cases.items():
            try:
                found = self.found(data)
            except Malformed:
                found = None
            wrong += [name] * ((found is None) != (name in self.bad))
            lines.append(json.dumps(dict(zip(("name", *self.labels), (name, self.pieces(data), found)))))
        head = json.dumps({**self.head, "case_count": len(cases)})
        return f'{head[:-1]}, "cases": [\n' + ",\n".join(lines) + "\n]}\n", wrong

    def main(self, words):
        """Writes the file, or compares it."""
        text, wrong = self.text()
        if words == []:
            self.path.write_text(text)
            print(f"{len(self.good)} accepted, {len(self.bad)} malformed")
        elif words == ["--check"]:
            wrong += [f"{self.path} differs"] * (self.path.read_text() != text)
        sys.exit("\n".join(wrong) or None)
