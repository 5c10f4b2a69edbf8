// SPDX-License-Identifier: BSD-3-Clause
// Bytes per second over time, of all ranks; an operation's bytes are spread over its time.
"use strict";

function makeBandwidth() {
    const { read, write } = data.bandwidth;
    const begin = data.bandwidth.begin * tick, step = data.bandwidth.length * tick / read.length;
    const times = read.map((_, i) => begin + i * step);
    const rates = rate => `${formatBytes(rate)}/s`;
    const stepped = uPlot.paths.stepped({ align: 1 });
    const series = name => ({
        stroke: () => styleOf(`--${name}`),
        fill: () => `${styleOf(`--${name}`)}2e`, // #rrggbb, and an opacity of 18 %
        width: 1.5,
        paths: stepped,
        points: { show: false },
    });
    addChart("bandwidth", {
        series: [series("read"), series("write")],
        values: [[...times, begin + read.length * step], [...read, read.at(-1)],
                 [...write, write.at(-1)]],
        scales: { y: { range: (_, min, max) => [0, max > 0 ? max * 1.08 : 1] } },
        axes: [axis({ size: 90, incrs: BYTE_STEPS, values: (_, splits) => splits.map(rates) })],
        height: 190,
        describe: (plot, x) => {
            const i = Math.floor((plot.posToVal(x, "x") - begin) / step);
            return i >= 0 && i < read.length ? [
                formatShownTime(times[i]), `read ${rates(read[i])}`,
                `written ${rates(write[i])}`] : null;
        },
    });
}
