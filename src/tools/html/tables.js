// SPDX-License-Identifier: BSD-3-Clause
// The tables: sorted by a click on a column, filtered by words.
"use strict";

const SHOWN_AT_FIRST = 20; // rows
const LONG = 40; // characters; what has more may take several lines

// The sum of a field of operations. Fields that are 0 or empty are not in the data.
const sumOf = (row, key, modes = ["read", "write", "flush"]) =>
    modes.reduce((sum, mode) => sum + (row[mode]?.[key] || 0), 0);
const speedOf = row =>
    sumOf(row, "bytes", ["read", "write"]) / sumOf(row, "time", ["read", "write"]);
const placeOf = row => row.source ? `${row.function} ${row.source.replace(/.*\//, "")}:${row.line}`
    : row.function || "";

// A column: title, value of a row, and how it is shown.
const words = (title, value) => ({ title, value: row => value(row) || "", isText: true });
const number = format => (title, value) => ({ title, value: row => value(row) || 0, format });
const count = number(formatCount);
const bytes = number(formatBytes);
const seconds = number(formatSeconds);
const rate = number(rate => rate > 0 ? `${formatBytes(rate)}/s` : "-");
const share = number(part => formatShare(part, 1));

const sums = [
    count("calls", row => row.calls), seconds("time", row => row.time),
    share("of run time", row => row.time / data.report.spread.run_time.sum),
    bytes("read", row => row.read?.bytes), bytes("written", row => row.write?.bytes),
    rate("bandwidth", speedOf),
    count("operations", row => sumOf(row, "begun")),
    count("collective", row => sumOf(row, "collective")),
];
const offsets = [
    count("sequential", row => sumOf(row, "sequential")),
    count("strided", row => sumOf(row, "strided")),
    count("random", row => sumOf(row, "random")),
    bytes("read again", row => sumOf(row, "bytes_reread")),
];

const TABLES = [
    { key: "ranks", title: "Ranks", columns: [
        { ...count("rank", row => row.rank), isName: true },
        seconds("run time", row => row.run_time),
        seconds("in I/O calls", row => row.io_time),
        share("of run time", row => row.io_time / row.run_time),
        seconds("reading", row => row.time_reading),
        seconds("writing", row => row.time_writing),
        seconds("flushing", row => row.time_flushing),
        seconds("waiting", row => row.time_waiting),
        seconds("metadata", row => row.time_metadata), count("calls", row => row.calls),
        bytes("read", row => row.bytes_read),
        bytes("written", row => row.bytes_written),
    ] },
    { key: "calls", title: "Calls", columns: [
        words("call", row => row.call || "(outside of calls)"), ...sums,
        count("non-blocking", row => sumOf(row, "non_blocking")),
        seconds("in flight", row => sumOf(row, "time_in_flight")),
        seconds("waiting", row => sumOf(row, "time_waiting")),
        seconds("overlapped", row => sumOf(row, "time_overlapped")),
    ] },
    { key: "files", title: "Files", columns: [
        words("file", row => row.file || "(not known)"), words("paradigm", row => row.paradigm),
        count("ranks", row => row.ranks), count("opens", row => row.opens), ...sums,
        seconds("metadata", row => row.time_metadata), ...offsets,
        words("properties", row => (row.properties || []).join(", ")),
    ] },
    { key: "places", title: "Places in the program", columns: [
        words("place", placeOf), words("call", row => row.call || "(outside of calls)"), ...sums,
    ] },
    { key: "accesses", title: "By file, call and place", columns: [
        words("file", row => row.file || "(not known)"), words("call", row => row.call),
        words("place", placeOf), ...sums, ...offsets,
        count("never completed", row => sumOf(row, "not_observed") + sumOf(row, "not_ended")),
    ] },
    { key: "errors", title: "Errors", columns: [
        words("class", row => row.class), words("call", row => row.call),
        words("file", row => row.file), count("count", row => row.count),
        words("text", row => row.text),
    ] },
];

function shownText(column, row) {
    const value = column.value(row);
    return column.isText ? value : column.format(value);
}

function compareBy(column, direction) {
    return (a, b) => {
        const left = column.value(a), right = column.value(b);
        return direction * (column.isText ? left.localeCompare(right) : left - right);
    };
}

// Columns that say nothing of any row are left out.
function usedColumns({ columns }, rows) {
    return columns.filter(column => rows.some(row => column.value(row)));
}

// A cell; a long path may be broken behind its slashes.
function cell(column, row) {
    const text = shownText(column, row);
    if (column.isText && text.length > LONG)
        return element("td", { class: "words long" },
                       ...text.split(/(?<=[/+])/).flatMap(part => [part, element("wbr")]));
    if (column.isText)
        return element("td", { class: "words" }, text);
    const isFaint = column.value(row) === 0 && !column.isName;
    return element("td", { class: isFaint ? "faint" : "" }, text);
}

class Table {
    constructor(definition, rows, left) {
        this.rows = rows;
        this.columns = usedColumns(definition, rows);
        this.showsAll = false;
        this.filter = element("input", { type: "search", placeholder: "filter",
                                         "aria-label": `Filter ${definition.title}` });
        this.body = element("tbody");
        this.count = element("span", { class: "faint" });
        this.more = element("button", {}, "show all");
        this.heads = this.columns.map(column => this.head(column));
        this.filter.addEventListener("input", () => this.show());
        this.more.addEventListener("click", () => {
            this.showsAll = true;
            this.show();
        });
        this.section = element("section", { id: definition.key, "data-title": definition.title },
            element("h2", {}, definition.title),
            element("div", { class: "tools" }, this.filter, this.count, this.more),
            element("div", { class: "scroll" },
                element("table", {}, element("thead", {}, element("tr", {}, ...this.heads)),
                        this.body)));
        if (left > 0)
            this.section.append(element("p", { class: "faint" },
                `${left} more rows that took less time: mpiotrace-report --csv=${definition.key}`));
        this.show();
    }

    head(column) {
        const head = element("th", { scope: "col", tabindex: 0,
                                     class: column.isText ? "words" : "" }, column.title);
        head.addEventListener("click", () => this.sort(column, head));
        head.addEventListener("keydown", event => {
            if (event.key === "Enter")
                this.sort(column, head);
        });
        return head;
    }

    // Numbers start with the largest, words with the first.
    sort(column, head) {
        const was = head.getAttribute("aria-sort");
        const first = column.isText ? "ascending" : "descending";
        const other = column.isText ? "descending" : "ascending";
        const order = was === first ? other : first;
        this.heads.forEach(each => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", order);
        this.rows = [...this.rows].sort(compareBy(column, order === "ascending" ? 1 : -1));
        this.show();
    }

    show() {
        const wanted = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
        const rows = this.rows.filter(row => {
            const text = this.columns.map(column => shownText(column, row)).join(" ").toLowerCase();
            return wanted.every(word => text.includes(word));
        });
        const shown = this.showsAll ? rows : rows.slice(0, SHOWN_AT_FIRST);
        this.body.replaceChildren(...shown.map(
            row => element("tr", {}, ...this.columns.map(column => cell(column, row)))));
        this.count.textContent = rows.length === this.rows.length ? formatNumber(rows.length, "row")
            : `${rows.length} of ${this.rows.length} rows`;
        this.more.hidden = shown.length === rows.length;
    }
}

function makeTables() {
    const holder = document.getElementById("tables");
    for (const definition of TABLES) {
        const rows = data.report[definition.key];
        if (rows.length > 0)
            holder.append(new Table(definition, rows,
                                    data.left_out[definition.key] || 0).section);
    }
}
