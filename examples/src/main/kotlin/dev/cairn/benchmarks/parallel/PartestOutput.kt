package dev.cairn.benchmarks.parallel

private const val FIGURE = "([0-9]+\\.[0-9]+)s"
private const val TOTAL = "T_STAT +TOTAL %s .* t= *$FIGURE"
private const val PHASE = "T_PHASE +TOTAL %s .*\\b%s=$FIGURE"

/**
 * The times in an [output] of `partest`. For each phase it has the time of the slowest task without its waiting, and the time of
 * all tasks together. The times of writing and reading are the totals of `partest` without those of creating, opening and
 * closing.
 */
internal fun partestTimes(output: String): PhaseTimes {
    fun figure(pattern: String, vararg names: String): Double {
        val line = Regex(pattern.format(*names)).find(output)
        check(line != null) { "partest says nothing of ${names.joinToString(" ")}: $output" }
        return line.groupValues[1].toDouble()
    }

    fun write(phase: String) = figure(PHASE, "WRITE", phase)
    val create = write("create") + write("create_cls") + write("open")
    val close = write("close")
    val open = figure(PHASE, "READ", "open")
    return PhaseTimes(
        create,
        write = figure(TOTAL, "WRITE") - create - close,
        close,
        open,
        read = figure(TOTAL, "READ") - open,
    )
}
