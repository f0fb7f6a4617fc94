package dev.cairn.report

/** Colours and letters of a report: for light and dark screens, of any width, and for paper. */
internal object PageStyle {
    private const val LIGHT =
        "--paper: #ffffff; --ink: #1f2328; --muted: #57606a; --line: #d0d7de; --panel: #f6f8fa; --run: #afb8c1; " +
            "--good: #0969da; --wait: #bc4c00; --bad: #cf222e; --skip: #8250df; --open: #6e7781;"

    private const val DARK =
        "--paper: #0d1117; --ink: #e6edf3; --muted: #9da7b3; --line: #30363d; --panel: #161b22; --run: #484f58; " +
            "--good: #58a6ff; --wait: #f0883e; --bad: #ff7b72; --skip: #bc8cff; --open: #8b949e;"

    /** The meaning of each style in a picture, in the order in which a legend shows them. */
    val LEGEND: List<Pair<String, String>> =
        listOf(
            "run" to "the program runs",
            "waited" to "it waits for a save (all of its wait, from the save's beginning)",
            "committed" to "save, until it was committed",
            "sealed" to "sealed on its hosts; drained from there on",
            "failed" to "failed",
            "skipped" to "skipped",
            "superseded" to "superseded",
            "unknown" to "no end known",
        )

    val CSS: String =
        """
        |:root { color-scheme: light dark; $LIGHT }
        |@media (prefers-color-scheme: dark) { :root { $DARK } }
        |* { box-sizing: border-box }
        |body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--paper); color: var(--ink);
        |  font: 1rem/1.45 system-ui, 'DejaVu Sans', sans-serif; overflow-wrap: anywhere }
        |h1 { font-size: 1.5rem; margin: 0.5rem 0 0.25rem } h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem }
        |h3 { font-size: 1rem; margin: 0.5rem 0 } p { margin: 0.4rem 0; max-width: 60rem }
        |.note, .head { color: var(--muted) }
        |.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 0.75rem;
        |  margin: 1rem 0 }
        |.fact { background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.6rem 0.8rem }
        |.fact span { display: block; color: var(--muted); font-size: 0.85rem } .fact strong { font-size: 1.05rem }
        |.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem }
        |figure { margin: 0; break-inside: avoid } figcaption { font-weight: 600 }
        |svg { display: block; width: 100%; max-width: 36rem; height: auto }
        |svg text { font-size: 11px; fill: var(--muted) } svg .heading { font-size: 12px; font-weight: 600; fill: var(--ink) }
        |svg .middle { text-anchor: middle } svg .end { text-anchor: end }
        |.grid { stroke: var(--line) } .frame { stroke: var(--muted) } .joined { stroke-width: 1.5 }
        |rect.run { fill: var(--run) } rect.waited { fill: var(--wait) } rect.committed { fill: var(--good) }
        |rect.failed { fill: var(--bad) } rect.skipped { fill: var(--skip) } rect.superseded { fill: var(--open) }
        |rect.unknown { fill: none; stroke: var(--open); stroke-dasharray: 3 2 } line.sealed { stroke: var(--ink); stroke-width: 2 }
        |.first { fill: var(--good); stroke: var(--good) } .second { fill: var(--wait); stroke: var(--wait) }
        |.third { fill: var(--skip); stroke: var(--skip) } polyline { fill: none !important }
        |.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; list-style: none; margin: 0.4rem 0; padding: 0;
        |  font-size: 0.9rem } .legend i { display: inline-block; width: 0.9rem; height: 0.7rem; margin-right: 0.35rem }
        |i.run { background: var(--run) } i.waited, i.second { background: var(--wait) }
        |i.committed, i.first { background: var(--good) } i.failed { background: var(--bad) }
        |i.skipped, i.third { background: var(--skip) } i.superseded { background: var(--open) }
        |i.unknown { border: 1px dashed var(--open) } .legend i.sealed { width: 2px; background: var(--ink) }
        |.table { overflow: auto; max-height: 24rem; margin: 0.5rem 0; border: 1px solid var(--line); border-radius: 0.4rem }
        |table { border-collapse: collapse; width: 100%; font-size: 0.85rem; overflow-wrap: normal }
        |th, td { text-align: left; padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); vertical-align: top }
        |th { background: var(--panel); position: sticky; top: 0 } tr:last-child td { border-bottom: 0 }
        |.number { text-align: right; font-variant-numeric: tabular-nums } .number, .words { white-space: nowrap }
        |.sentence { min-width: 16rem }
        |@media print { :root { color-scheme: light; $LIGHT } body { max-width: none; padding: 0; font-size: 10pt }
        |  * { print-color-adjust: exact } .table { overflow: visible; max-height: none } table { font-size: 7pt }
        |  .pictures { grid-template-columns: 1fr 1fr } h2, h3 { break-after: avoid }
        |  th { position: static } tr { break-inside: avoid }
        |  .words { white-space: normal } .sentence { min-width: 0; overflow-wrap: anywhere }
        |  td, th { padding: 1pt 2pt } }
        |
        """.trimMargin()
}
