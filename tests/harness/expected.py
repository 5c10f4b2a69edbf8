# SPDX-License-Identifier: BSD-3-Clause
"""
Expected traces, written by hand from the event rules.

    # ranks: 2                        how many ranks the program needs (1 if not said)
    # env: MPIOTRACE_TEST_EVENTS=all  environment, as the shell would split it
    # args: a b                       arguments of the program
    # timeout: 30                     seconds
    # library: mpich                  the only MPI library that behaves like this
    rank 0
        Enter MPI_File_open | Path=$DIR/f.dat
        ...
    ranks 1-3                         the same on each of them
    rank 0 thread 1                   a further thread's location

Indentation is free, other lines that begin with # are comments. {...} is arithmetic on `rank`
and `size`, so that ranks that differ by an offset can share a section; a place may have several
sections, which add up. A line that ends in [openmpi] or [mpich] holds for that MPI library only:
for what these libraries answer differently, with the reason in a comment.
"""

import difflib
import re
import shlex
from pathlib import Path

DIRECTIVE = re.compile(r"# (ranks|env|args|timeout|library): (.*)")
LIBRARY = re.compile(r"\s*\[(openmpi|mpich)\]$")
SECTION = re.compile(r"ranks? (\d+)(?:-(\d+))?(?: threads? (\d+)(?:-(\d+))?)?$")


class Expected:
    """One expected trace: how to run the program, and `lines` by (rank, thread)."""

    def __init__(self, path, library):
        self.path = Path(path)
        self.ranks = 1
        self.env = {}
        self.args = []
        self.timeout = 60
        self.library = None
        self.lines = {}
        places = []
        for line in self.path.read_text().splitlines():
            line = line.strip()
            only = LIBRARY.search(line)
            line = LIBRARY.sub("", line)
            section = SECTION.match(line)
            if only and only[1] != library:
                continue
            if line.startswith("#"):
                self.directive(line)
            elif section:
                places = places_of(*section.groups())
                for place in places:
                    self.lines.setdefault(place, [])
            elif line:
                for place in places:
                    self.lines[place].append(self.evaluate(line, place[0]))

    def directive(self, line):
        match = DIRECTIVE.match(line)
        if not match:
            return
        key, value = match.groups()
        if key == "library":
            assert value in ("openmpi", "mpich"), f"{self.path}: {line}"
            self.library = value
        elif key in ("ranks", "timeout"):
            setattr(self, key, int(value))
        elif key == "args":
            self.args = shlex.split(value)
        else:
            self.env = dict(word.split("=", 1) for word in shlex.split(value))

    def evaluate(self, line, rank):
        names = {"__builtins__": {}, "rank": rank, "size": self.ranks}
        return re.sub(r"\{([^}]*)\}", lambda m: str(eval(m.group(1), names)), line)

    def difference(self, actual):
        """A unified diff of the whole trace from what is expected, empty if there is none."""
        return "\n".join(difflib.unified_diff(listing(self.lines), listing(actual),
                                              str(self.path), "recorded", "", "", 6, ""))


def places_of(rank, last_rank, thread, last_thread):
    ranks = range(int(rank), int(last_rank or rank) + 1)
    threads = range(int(thread or 0), int(last_thread or thread or 0) + 1)
    return [(r, t) for r in ranks for t in threads]


def listing(lines_of):
    """All places as one text, indented by what is open, so that two can be compared."""
    result = []
    for (rank, thread), lines in sorted(lines_of.items()):
        result.append(f"rank {rank}" + (f" thread {thread}" if thread else ""))
        depth = 1
        for line in map(str.strip, lines):
            depth -= line.startswith("Leave ")
            result.append("    " * depth + line)
            depth += line.startswith("Enter ")
    return result
