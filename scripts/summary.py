# SPDX-License-Identifier: BSD-3-Clause
"""summary.py ANCHOR: what a trace holds, by call and by file."""

import sys
from collections import defaultdict

import otf2
from otf2 import events

calls = defaultdict(lambda: [0, 0.0])
files = defaultdict(lambda: {"READ": [0, 0], "WRITE": [0, 0], "FLUSH": [0, 0]})
ENTER = (events.Enter, events.CallingContextEnter)
LEAVE = (events.Leave, events.CallingContextLeave)

with otf2.reader.open(sys.argv[1]) as trace:
    second = trace.definitions.clock_properties.timer_resolution
    entered, begun = defaultdict(list), {}
    for location, event in trace.events:
        if isinstance(event, ENTER):
            entered[location].append(event.time)
        elif isinstance(event, LEAVE):
            region = getattr(event, "region", None) or event.calling_context.region
            since = entered[location].pop()
            if entered[location]:
                calls[region.name][0] += 1
                calls[region.name][1] += (event.time - since) / second
        elif isinstance(event, events.IoOperationBegin):
            begun[location.group, event.handle, event.matching_id] = event.mode
        elif isinstance(event, events.IoOperationComplete):
            mode = begun.pop((location.group, event.handle, event.matching_id))
            total = files[event.handle.file.name][str(mode).rpartition(".")[2]]
            total[0] += 1
            total[1] += event.bytes_result

print(f"{'call':28} {'calls':>7} {'seconds':>9}")
for name, (count, seconds) in sorted(calls.items(), key=lambda item: -item[1][1]):
    print(f"{name:28} {count:7} {seconds:9.4f}")
print(f"\n{'file':28} {'writes':>7} {'bytes':>9} {'reads':>7} {'bytes':>9}")
for name, modes in sorted(files.items()):
    writes, reads = modes["WRITE"], modes["READ"]
    print(f"{name.rpartition('/')[2]:28} {writes[0]:7} {writes[1]:9} {reads[0]:7} {reads[1]:9}")
