// SPDX-License-Identifier: BSD-3-Clause
// What the page shows: the report (mpiotrace-report(1), JSON), and pictures of it. Times are ticks
// since the start of the trace, here turned into seconds.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const NONE = -1, SEVERAL = -2;

const tick = 1 / data.clock.resolution;
const traceBegin = data.clock.begin * tick;
const traceEnd = Math.max(data.clock.end, data.clock.begin + 1) * tick;

const hasThreads = data.timeline.lanes.some(lane => lane.thread > 0);
for (const lane of data.timeline.lanes) {
    let begin = 0;
    lane.begin = lane.begin.map(delta => (begin += delta) * tick);
    lane.end = lane.length.map((length, i) => lane.begin[i] + length * tick);
    lane.name = hasThreads ? `${lane.rank}.${lane.thread}` : String(lane.rank);
}

for (const map of data.maps) {
    map.begin = map.begin.map(time => time * tick);
    map.end = map.length.map((length, i) => map.begin[i] + length * tick);
    map.high = map.high.map((bytes, i) => map.low[i] + bytes);
    map.top = map.high.reduce((most, high) => Math.max(most, high), 1);
}

function callName(index) {
    return index >= 0 ? data.call_names[index] : "(outside of calls)";
}

function fileName(index) {
    return index === SEVERAL ? "several files" : index === NONE ? "" : data.file_names[index];
}

// Calls of a kind have hues in a range of their own: what reads, writes, flushes, waits, and
// metadata. [names, first and last hue, saturation in percent]
const KINDS = [
    [/write/i, 8, 46, 85], [/read/i, 195, 235, 75], [/sync|flush/i, 325, 345, 65],
    [/wait|test|get_status/i, 262, 292, 45], [/./, 75, 175, 32],
];
const kindOf = name => KINDS.findIndex(([pattern]) => pattern.test(name));
const callColours = new Map(KINDS.flatMap(([, first, last, saturation], kind) => {
    const names = data.call_names.filter(name => kindOf(name) === kind);
    return names.map((name, i) => [name, {
        hue: first + (last - first) * (i + 0.5) / names.length,
        saturation,
        lightness: 40 + 12 * (i % 3),
    }]);
}));

function callColour(name) {
    const { hue, saturation, lightness } =
        callColours.get(name) || { hue: 0, saturation: 0, lightness: 55 };
    return `hsl(${hue} ${saturation}% ${lightness + Number(styleOf("--lightness"))}%)`;
}

const highestRank = data.report.ranks.reduce((most, row) => Math.max(most, row.rank || 0), 0);

// From blue over green to red, for rank 0 to the last.
function rankColour(rank) {
    const lightness = 46 + Number(styleOf("--lightness"));
    return `hsl(${250 - 250 * rank / Math.max(1, highestRank)} 75% ${lightness}%)`;
}
