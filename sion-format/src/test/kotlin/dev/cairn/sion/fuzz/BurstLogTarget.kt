package dev.cairn.sion.fuzz

import java.util.TreeMap

/** What the fuzzer runs on logs of PnetCDF: any bytes at all are their files. */
object BurstLogTarget {
    private val outcomes = TreeMap<String, Long>()
    private var executions = 0L

    @JvmStatic
    fun fuzzerTestOneInput(input: ByteArray) {
        executions++
        try {
            outcomes.merge(read(HostileBurstLog.of(input)), 1, Long::plus)
        } catch (found: Throwable) {
            throw Finding(executions, found)
        }
    }

    /** What became of the log. As in [ReaderTarget], only an allocation that happens again and again counts. */
    private tailrec fun read(log: HostileBurstLog, attempts: Int = 20): String {
        try {
            return BurstLogReadThrough(log).run()
        } catch (found: TooMuchMemory) {
            if (attempts == 1) throw found
        }
        return read(log, attempts - 1)
    }

    @JvmStatic
    fun fuzzerTearDown() {
        println("${ReaderTarget.TALLY_MARK}${outcomes.entries.joinToString { "${it.key} ${it.value}" }}")
    }
}
