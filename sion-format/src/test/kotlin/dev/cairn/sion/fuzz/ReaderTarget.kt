package dev.cairn.sion.fuzz

import java.util.TreeMap

/** What the fuzzer runs: any bytes at all are read as a multifile, healthy or broken. */
object ReaderTarget {
    private val outcomes = TreeMap<String, Long>()
    private var executions = 0L

    @JvmStatic
    fun fuzzerTestOneInput(input: ByteArray) {
        executions++
        try {
            read(HostileFiles.of(input)).forEach { outcomes.merge(it, 1, Long::plus) }
        } catch (found: Throwable) {
            throw Finding(executions, found)
        }
    }

    /**
     * What became of the files. The first times load classes; an allocation that a hostile number asks for happens
     * again and again.
     */
    tailrec fun read(files: HostileFiles, attempts: Int = 20): List<String> {
        try {
            val refusal = ReadThrough(files).run()
            val read = refusal?.javaClass?.simpleName ?: READ_THROUGH
            return when (files.further) {
                Further.SALVAGE -> listOf(read, SalvageThrough(files).run(refusal))
                Further.COPIES -> listOf(read, CopiesThrough(files).run())
                else -> listOf(read)
            }
        } catch (found: TooMuchMemory) {
            if (attempts == 1) throw found
        }
        return read(files, attempts - 1)
    }

    @JvmStatic
    fun fuzzerTearDown() {
        println("$TALLY_MARK${outcomes.entries.joinToString { "${it.key} ${it.value}" }}")
    }

    const val READ_THROUGH = "read through"

    /** Opens the line with the outcomes. */
    const val TALLY_MARK = "Outcomes: "
}

/** What no reading of any bytes may end in. */
class Finding(executions: Long, found: Throwable) : RuntimeException("$MARK$executions executions: $found", found) {
    companion object {
        const val MARK = "found after "
    }
}
