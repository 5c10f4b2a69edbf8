// SPDX-License-Identifier: BSD-3-Clause
// The stretch of time that all charts show, and how it is changed.
"use strict";

const view = { min: traceBegin, max: traceEnd };
const charts = []; // { plot, redraw(), holder }

function showView() {
    for (const chart of charts)
        chart.plot.setScale("x", { min: view.min, max: view.max });
    document.querySelector("#timeline .range").textContent =
        `${formatShownTime(view.min)} to ${formatShownTime(view.max)}`;
}

// A time, to a thousandth of what is shown.
function formatShownTime(seconds) {
    return formatTime(seconds, (view.max - view.min) / 1000);
}

function setView(min, max) {
    const least = Math.max((traceEnd - traceBegin) * 1e-9, 2 * tick);
    if (max - min < least) {
        const middle = (min + max) / 2;
        min = middle - least / 2;
        max = middle + least / 2;
    }
    const span = Math.min(max - min, traceEnd - traceBegin);
    view.min = Math.min(Math.max(min, traceBegin), traceEnd - span);
    view.max = view.min + span;
    showView();
}

function zoomView(factor, at = (view.min + view.max) / 2) {
    setView(at - (at - view.min) * factor, at + (view.max - at) * factor);
}

function moveView(part) {
    const by = (view.max - view.min) * part;
    setView(view.min + by, view.max + by);
}

const viewActions = {
    in: () => zoomView(0.5),
    out: () => zoomView(2),
    left: () => moveView(-0.25),
    right: () => moveView(0.25),
    all: () => setView(traceBegin, traceEnd),
};

// Zooms with Ctrl and moves with Shift; a plain wheel scrolls the page, as everywhere.
function onWheel(plot, event) {
    if (!event.ctrlKey && !event.shiftKey)
        return;
    event.preventDefault();
    const delta = event.deltaY || event.deltaX;
    if (event.ctrlKey)
        zoomView(delta < 0 ? 0.75 : 1 / 0.75, plot.posToVal(event.offsetX, "x"));
    else
        moveView(delta < 0 ? -0.1 : 0.1);
}

const tip = document.getElementById("tip");

// Shows lines of text beside the pointer, the first as a title; none: hides it.
function showTip(event, lines) {
    tip.hidden = !lines;
    if (!lines)
        return;
    tip.replaceChildren(element("b", {}, lines[0]), lines.slice(1).filter(Boolean).join("\n"));
    const box = tip.getBoundingClientRect();
    const right = event.clientX + 14 + box.width < window.innerWidth;
    tip.style.left = right ? `${event.clientX + 14}px`
        : `${Math.max(4, event.clientX - 14 - box.width)}px`;
    tip.style.top = `${Math.min(event.clientY + 14, window.innerHeight - box.height - 4)}px`;
}

// Where an axis of bytes may have its ticks: at multiples of a power of 2.
const BYTE_STEPS = Array.from({ length: 60 }, (_, i) => 2 ** i);

function axis(options) {
    return {
        stroke: () => styleOf("--faint"),
        grid: { stroke: () => styleOf("--grid"), width: 1 },
        ticks: { stroke: () => styleOf("--line"), width: 1 },
        font: "12px system-ui, sans-serif",
        ...options,
    };
}

// Makes a chart in `section`. `draw(plot)` paints inside of its axes; `describe(plot, x, y)` says
// what is at a position in pixels, as lines; `select(plot)` sees a stretch that was dragged over.
function addChart(section, { series, values, scales, axes, height, draw, describe, select }) {
    const holder = document.querySelector(`#${section} .chart`);
    const width = () => Math.max(200, holder.clientWidth - 14);
    const plot = new uPlot({
        width: width(),
        height,
        legend: { show: false },
        cursor: { y: false, points: { show: false }, sync: { key: "time" },
                  drag: { setScale: false, x: true, y: Boolean(select), uni: 30 } },
        scales: { x: { time: false, auto: false, min: view.min, max: view.max }, ...scales },
        series: [{}, ...series],
        axes: [axis({ space: 70, values: (plot, splits, number, space, step) =>
            splits.map(time => formatTime(time, step)) }), ...axes],
        hooks: {
            draw: draw ? [plot => clipped(plot, draw)] : [],
            setSelect: [plot => {
                const { left, width } = plot.select;
                if (select)
                    select(plot);
                if (width > 2)
                    setView(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
                plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            }],
        },
    }, values, holder);
    const over = plot.over;
    over.addEventListener("wheel", event => onWheel(plot, event), { passive: false });
    over.addEventListener("dblclick", viewActions.all);
    over.addEventListener("mousemove",
                          event => showTip(event, describe(plot, event.offsetX, event.offsetY)));
    over.addEventListener("mouseleave", event => showTip(event, null));
    new ResizeObserver(() => plot.setSize({ width: width(), height: plot.height })).observe(holder);
    charts.push({ plot });
    return plot;
}

function clipped(plot, draw) {
    const { left, top, width, height } = plot.bbox;
    plot.ctx.save();
    plot.ctx.beginPath();
    plot.ctx.rect(left, top, width, height);
    plot.ctx.clip();
    draw(plot);
    plot.ctx.restore();
}

function redrawCharts() {
    for (const { plot } of charts)
        plot.redraw(false, true);
}
