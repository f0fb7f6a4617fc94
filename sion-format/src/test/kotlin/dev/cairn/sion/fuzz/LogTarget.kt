package dev.cairn.sion.fuzz

import java.util.TreeMap

/** What the fuzzer runs on logs: any bytes at all are segments. */
object LogTarget {
    private val outcomes = TreeMap<String, Long>()
    private var executions = 0L

    @JvmStatic
    fun fuzzerTestOneInput(input: ByteArray) {
        executions++
        try {
            outcomes.merge(read(HostileLog.of(input)), 1, Long::plus)
        } catch (found: Throwable) {
            throw Finding(executions, found)
        }
    }

    /** What became of the log. As in [ReaderTarget], only an allocation that happens again and again counts. */
    tailrec fun read(log: HostileLog, attempts: Int = 20): String {
        try {
            return LogReadThrough(log).run()
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
