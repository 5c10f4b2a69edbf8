// SPDX-License-Identifier: BSD-3-Clause
// Numbers as text, as mpiotrace-report prints them.
"use strict";

function withUnit(value, unit) {
    return `${value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)} ${unit}`;
}

function formatBytes(bytes) {
    const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let unit = 0;
    if (bytes < 1024)
        return `${Math.round(bytes)} B`;
    for (bytes /= 1024; bytes >= 999.5 && unit + 1 < units.length; unit++)
        bytes /= 1024;
    return withUnit(bytes, units[unit]);
}

function formatSeconds(seconds) {
    const units = ["s", "ms", "us", "ns"];
    let unit = 0;
    if (!(seconds > 0))
        return "0 s";
    for (; seconds < 0.9995 && unit + 1 < units.length; unit++)
        seconds *= 1000;
    return unit === 3 ? `${Math.round(seconds)} ns` : withUnit(seconds, units[unit]);
}

function formatRate(bytes, seconds) {
    return seconds > 0 && bytes > 0 ? `${formatBytes(bytes / seconds)}/s` : "-";
}

// One call, two calls.
function formatNumber(count, noun) {
    return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function formatShare(part, whole) {
    return whole > 0 ? `${(100 * part / whole).toFixed(1)} %` : "-";
}

function formatCount(count) {
    return String(count);
}

// A time of the trace, with as many digits as tell times apart that differ by `step` seconds.
function formatTime(seconds, step) {
    const digits = Math.min(9, Math.max(0, -Math.floor(Math.log10(step) + 1e-6)));
    return `${seconds.toFixed(digits)} s`;
}

function element(name, attributes, ...content) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {}))
        made.setAttribute(key, value);
    made.append(...content);
    return made;
}

// The value of a custom property of the style sheet: colours differ in light and dark mode.
function styleOf(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
