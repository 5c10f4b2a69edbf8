/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the page, as strings: mpiot_html_NAME, ended by 0. */
    .section .rodata

    .macro part name, file
    .global mpiot_html_\name
    .type mpiot_html_\name, @object
mpiot_html_\name:
    .incbin "tools/html/\file"
    .byte 0
    .size mpiot_html_\name, . - mpiot_html_\name
    .endm

    part page_css, "page.css"
    part page_html, "page.html"
    part format_js, "format.js"
    part data_js, "data.js"
    part view_js, "view.js"
    part timeline_js, "timeline.js"
    part bandwidth_js, "bandwidth.js"
    part map_js, "map.js"
    part tables_js, "tables.js"
    part main_js, "main.js"
    part uplot_js, "vendor/uPlot.iife.min.js"
    part uplot_css, "vendor/uPlot.min.css"
    part uplot_licence, "vendor/LICENSE"

    .section .note.GNU-stack, "", @progbits
