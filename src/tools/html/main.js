// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together.
"use strict";

function makeHead() {
    const { report } = data;
    const filters = Object.entries(report.filters).map(
        ([name, value]) => `--${name}=${Array.isArray(value) ? value.join(":") : value}`);
    document.title = `${report.archive} - mpiotrace`;
    document.getElementById("archive").textContent = report.archive;
    document.getElementById("about").textContent = [
        formatNumber(report.ranks.length, "rank"),
        formatSeconds(report.run_time), `${report.events} events`,
        `written by ${report.creator}`, ...report.marks, ...filters].join(", ");
}

function makeCards() {
    const { report } = data, { spread, ranks } = report;
    const total = key => ranks.reduce((sum, rank) => sum + (rank[key] || 0), 0);
    const files = report.files.filter(file => file.file).length + data.left_out.files;
    const done = (how, key) => `${how} in ${formatNumber(total(key), "operation")}`;
    const card = (value, text) => element("div", { class: "card" }, element("b", {}, value),
                                          element("span", {}, text));
    document.getElementById("cards").append(
        card(formatSeconds(report.run_time), "run time"),
        card(formatShare(spread.io_time.sum, spread.run_time.sum), "of it in I/O calls"),
        card(formatSeconds(spread.io_time.most),
             `most time in I/O calls (rank ${spread.io_time.most_rank})`),
        card(formatBytes(total("bytes_read")), done("read", "reads")),
        card(formatBytes(total("bytes_written")), done("written", "writes")),
        card(String(files), files === 1 ? "file" : "files"));
}

function makeFindings() {
    const { findings } = data.report;
    const list = document.querySelector("#findings ul");
    list.append(...findings.map(finding => element("li", { "data-kind": finding.kind },
                                                   finding.text)));
    document.getElementById("findings").hidden = findings.length === 0;
}

function makeContents() {
    for (const section of document.querySelectorAll("section[data-title]"))
        if (!section.hidden)
            document.getElementById("contents").append(
                element("a", { href: `#${section.id}` }, section.dataset.title));
}

function applyColours() {
    colourLegend();
    if (data.maps.length > 0)
        colourRanks();
    redrawCharts();
}

makeHead();
makeCards();
makeFindings();
makeTimeline();
makeBandwidth();
makeMap();
makeTables();
makeContents();
for (const button of document.querySelectorAll("[data-view]"))
    button.addEventListener("click", () => viewActions[button.dataset.view]());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyColours);
applyColours();
showView();
