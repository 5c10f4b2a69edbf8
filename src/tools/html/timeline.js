// SPDX-License-Identifier: BSD-3-Clause
// Ranks over time, coloured by call.
"use strict";

const lanes = data.timeline.lanes;
const hiddenCalls = new Set();
const GAP = 0.12; // of a lane's height, above and below its spans

// Index of the first span of a lane that ends behind a time.
function firstAfter(lane, time) {
    let low = 0, high = lane.end.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (lane.end[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

function drawLane(plot, lane, number, colours) {
    const { ctx } = plot;
    const top = plot.valToPos(number + GAP, "y", true);
    const height = Math.max(1, plot.valToPos(number + 1 - GAP, "y", true) - top);
    let drawn = -Infinity;
    const { begin } = lane;
    for (let i = firstAfter(lane, view.min); i < begin.length && begin[i] <= view.max; i++) {
        if (hiddenCalls.has(lane.call[i]))
            continue;
        const left = plot.valToPos(lane.begin[i], "x", true);
        const right = Math.max(left + 1, plot.valToPos(lane.end[i], "x", true));
        if (right <= drawn + 0.5)
            continue; // all of it would be under what is there
        // Of a span that stands for several calls, the paler the more of its time is between them.
        const busy = lane.calls[i] > 1
            ? lane.busy[i] * tick / Math.max(tick, lane.end[i] - lane.begin[i]) : 1;
        ctx.globalAlpha = Math.max(0.35, Math.min(1, busy));
        ctx.fillStyle = colours[lane.call[i]] || "gray";
        ctx.fillRect(left, top, right - left, height);
        drawn = right;
    }
    ctx.globalAlpha = 1;
}

function drawTimeline(plot) {
    const colours = data.call_names.map(callColour);
    lanes.forEach((lane, number) => drawLane(plot, lane, number, colours));
}

// The span at a position, or the nearest within some pixels.
function spanAt(plot, x, y) {
    const lane = lanes[Math.floor(plot.posToVal(y, "y"))];
    if (!lane)
        return null;
    const time = plot.posToVal(x, "x"), near = plot.posToVal(x + 3, "x") - time;
    let best = null, least = near;
    for (let i = firstAfter(lane, time - near); i < lane.begin.length; i++) {
        const away = Math.max(lane.begin[i] - time, time - lane.end[i], 0);
        if (lane.begin[i] > time + near)
            break;
        if (away <= least && !hiddenCalls.has(lane.call[i])) {
            best = { lane, i };
            least = away;
        }
    }
    return best;
}

function describeSpan(plot, x, y) {
    const found = spanAt(plot, x, y);
    if (!found)
        return null;
    const { lane, i } = found, calls = lane.calls[i], path = lane.path[i];
    const length = lane.end[i] - lane.begin[i];
    return [
        calls > 1 ? `${calls} calls, most of the time ${callName(lane.call[i])}`
            : callName(lane.call[i]),
        `rank ${lane.name}, ${formatShownTime(lane.begin[i])}, ` +
            `for ${formatSeconds(length)}` +
            (calls > 1 ? `, of it in calls ${formatSeconds(lane.busy[i] * tick)}` : ""),
        fileName(lane.file[i]),
        lane.bytes[i] > 0 || lane.offset[i] >= 0 ? `${formatBytes(lane.bytes[i])} ` +
            `(${lane.bytes[i]} bytes)` +
            (lane.offset[i] >= 0 ? `${calls > 1 ? " from" : " at"} offset ${lane.offset[i]}` : "")
            : "",
        path >= 0 ? `called by ${data.timeline.paths[path]}` : "",
    ];
}

// Lanes that have room for a label.
function labelledLanes(plot) {
    const step = Math.max(1, Math.ceil(lanes.length * 15 / (plot.bbox.height / uPlot.pxRatio)));
    return lanes.map((_, i) => i).filter(i => i % step === 0).map(i => i + 0.5);
}

function makeLegend() {
    const used = new Set(lanes.flatMap(lane => [...new Set(lane.call)]));
    const legend = document.querySelector("#timeline .legend");
    for (const call of [...used].sort((a, b) => a - b)) {
        const swatch = element("i");
        swatch.dataset.call = callName(call);
        const button = element("button", { "aria-pressed": "true" }, swatch, callName(call));
        button.addEventListener("click", () => {
            const hide = !hiddenCalls.delete(call);
            if (hide)
                hiddenCalls.add(call);
            button.setAttribute("aria-pressed", String(!hide));
            redrawCharts();
        });
        legend.append(element("li", {}, button));
    }
}

function colourLegend() {
    for (const swatch of document.querySelectorAll("#timeline .legend i"))
        swatch.style.background = callColour(swatch.dataset.call);
}

function makeTimeline() {
    const notes = [];
    if (data.timeline.merged)
        notes.push("Short calls that are close to each other are one block.");
    if (data.timeline.step > 1)
        notes.push(`One rank of ${data.timeline.step} is shown.`);
    document.querySelector("#timeline .note").textContent = notes.join(" ");
    addChart("timeline", {
        series: [{ scale: "y" }],
        values: [[traceBegin, traceEnd], [null, null]],
        scales: { y: { auto: false, range: () => [0, lanes.length], dir: -1 } },
        axes: [axis({ scale: "y", size: 72, label: "rank", labelSize: 18,
                      labelFont: "12px sans-serif", grid: { show: false }, splits: labelledLanes,
                      values: (_, splits) => splits.map(at => lanes[Math.floor(at)].name) })],
        height: Math.min(640, 60 + Math.max(90, lanes.length * 20)),
        draw: drawTimeline,
        describe: describeSpan,
    });
    makeLegend();
}
