// SPDX-License-Identifier: BSD-3-Clause
// Offsets of a file over time, coloured by rank.
"use strict";

const mapState = { map: data.maps[0], shown: "both", min: 0, max: 1 };

function isShown(map, i) {
    return mapState.shown === "both" || (mapState.shown === "writes") === (map.writes[i] === 1);
}

// Where a cell is drawn, in pixels of the canvas or the page.
function boxOf(plot, map, i, onCanvas) {
    const left = plot.valToPos(map.begin[i], "x", onCanvas);
    const bottom = plot.valToPos(map.low[i], "y", onCanvas);
    const least = onCanvas ? 2 * uPlot.pxRatio : 2;
    const width = Math.max(least, plot.valToPos(map.end[i], "x", onCanvas) - left);
    const height = Math.max(least, bottom - plot.valToPos(map.high[i], "y", onCanvas));
    return { left, top: bottom - height, width, height };
}

function drawMap(plot) {
    const { map } = mapState;
    const colours = new Map();
    for (let i = 0; i < map.begin.length; i++) {
        if (!isShown(map, i) || map.end[i] < view.min || map.begin[i] > view.max)
            continue;
        if (!colours.has(map.rank[i]))
            colours.set(map.rank[i], rankColour(map.rank[i]));
        const box = boxOf(plot, map, i, true);
        plot.ctx.fillStyle = colours.get(map.rank[i]);
        plot.ctx.fillRect(box.left, box.top, box.width, box.height);
    }
}

function describeCell(plot, x, y) {
    const { map } = mapState;
    for (let i = map.begin.length - 1; i >= 0; i--) {
        if (!isShown(map, i))
            continue;
        const box = boxOf(plot, map, i, false);
        if (x < box.left - 2 || x > box.left + box.width + 2 || y < box.top - 2 ||
            y > box.top + box.height + 2)
            continue;
        const number = map.operations[i], what = map.writes[i] ? "write" : "read";
        const more = map.ranks_per_cell > 1 && number > 1 ? " and its neighbours" : "";
        return [
            number > 1 ? formatNumber(number, what) : what,
            `rank ${map.rank[i]}${more}, ${formatShownTime(map.begin[i])}, ` +
                `for ${formatSeconds(map.end[i] - map.begin[i])}`,
            `${formatBytes(map.bytes[i])} (${map.bytes[i]} bytes), ` +
                `offsets ${map.low[i]} to ${map.high[i]}`,
        ];
    }
    return null;
}

function chooseMap(map) {
    Object.assign(mapState, { map, min: 0, max: map.top });
}

function colourRanks() {
    const legend = document.querySelector("#map .legend");
    if (highestRank === 0)
        return;
    const scale = element("span", { class: "scale" });
    const colours = [0, 0.25, 0.5, 0.75, 1].map(part => rankColour(part * highestRank));
    scale.style.background = `linear-gradient(to right, ${colours.join(", ")})`;
    legend.replaceChildren("rank 0", scale, `rank ${highestRank}`);
}

function makeMap() {
    if (data.maps.length === 0) {
        document.getElementById("map").replaceChildren(
            element("h2", {}, "File access map"),
            element("p", { class: "faint" }, "No operation in this report has an offset."));
        return;
    }
    const [files, operations] = document.querySelectorAll("#map select");
    files.append(...data.maps.map(
        (map, i) => element("option", { value: i }, fileName(map.file))));
    files.addEventListener("change", () => {
        chooseMap(data.maps[files.value]);
        redrawCharts();
    });
    operations.addEventListener("change", () => {
        mapState.shown = operations.value;
        redrawCharts();
    });
    if (data.left_out.maps > 0)
        document.querySelector("#map .note").textContent =
            `${formatNumber(data.left_out.maps, "more file")} with fewer bytes.`;
    chooseMap(data.maps[0]);
    const plot = addChart("map", {
        series: [{ scale: "y" }],
        values: [[traceBegin, traceEnd], [null, null]],
        scales: { y: { auto: false, range: () => [mapState.min, mapState.max] } },
        axes: [axis({ scale: "y", size: 90, incrs: BYTE_STEPS,
                      values: (_, splits) => splits.map(formatBytes) })],
        height: 340,
        draw: drawMap,
        describe: describeCell,
        select: plot => {
            const { top, height } = plot.select;
            if (height > 2 && height < plot.over.clientHeight - 2)
                Object.assign(mapState, { min: Math.max(0, plot.posToVal(top + height, "y")),
                                          max: plot.posToVal(top, "y") });
        },
    });
    plot.over.addEventListener("dblclick", () => {
        chooseMap(mapState.map);
        redrawCharts();
    });
}
