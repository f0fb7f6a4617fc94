package dev.cairn.benchmarks.parallel

import picocli.CommandLine.ArgGroup
import picocli.CommandLine.Model.CommandSpec
import picocli.CommandLine.Option
import picocli.CommandLine.ParameterException
import picocli.CommandLine.Spec

/** The parameters of `partest`, as options. */
internal class Parameters {
    @Option(
        names = ["--ranks"],
        split = ",",
        paramLabel = "N",
        defaultValue = "4",
        description = ["Numbers of simulated ranks, one after the other (default: 4). A launcher has its own number."],
    )
    private lateinit var rankCounts: List<Int>

    @Option(
        names = ["--type"],
        split = ",",
        paramLabel = "TYPE",
        defaultValue = "multifile,files",
        description = ["\${COMPLETION-CANDIDATES}: a multifile, or a file for each rank (default: both)."],
    )
    private lateinit var types: List<Type>

    @Option(
        names = ["--files"],
        paramLabel = "N",
        defaultValue = "1",
        description = ["The physical files of the multifile, at most one for each rank (default: 1)."],
    )
    private var fileCount: Int = 0

    @ArgGroup(exclusive = true)
    private var amount: Amount? = null

    @Option(
        names = ["--buffer"],
        paramLabel = "SIZE",
        defaultValue = "1M",
        description = ["What is written or read at a time (default: 1M). Ranks have whole buffers only, at least one."],
    )
    private var bufferSize: Long = 0

    @Option(
        names = ["--chunk"],
        paramLabel = "SIZE",
        description = ["What a rank has in each block of the multifile (default: all of its bytes)."],
    )
    private var chunkSize: Long? = null

    @Option(
        names = ["--block"],
        paramLabel = "SIZE",
        defaultValue = "4K",
        description = ["To which chunks are aligned (default: 4K)."],
    )
    private var blockSize: Long = 0

    @Spec(Spec.Target.MIXEE)
    private lateinit var command: CommandSpec

    /** One for each number of ranks; only one if a launcher has started the ranks. */
    fun jobs(launchedCount: Int?): List<Job> {
        requireSizes()
        val counts = launchedCount?.let(::listOf) ?: rankCounts
        return counts.map { job(it, processCount = launchedCount ?: 1) }
    }

    private fun job(rankCount: Int, processCount: Int): Job {
        val bytesPerRank = maxOf(1, amount?.bytesPerRank(rankCount) ?: DEFAULT_LOCAL)
        // At most the bytes of a rank.
        val buffer = minOf(bufferSize, bytesPerRank).toInt()
        return Job(
            rankCount,
            processCount,
            types,
            fileCount = minOf(fileCount, rankCount),
            bufferSize = buffer,
            bufferCount = Math.toIntExact(bytesPerRank / buffer),
            chunkSize ?: bytesPerRank,
            blockSize.toInt(),
        )
    }

    private fun requireSizes() {
        requireThat(rankCounts.all { it > 0 } && fileCount > 0, "--ranks and --files are at least 1.")
        requireThat(bufferSize in LEAST_BUFFER..MOST_INT, "--buffer is at least 8 bytes, and less than 2G.")
        requireThat(blockSize <= MOST_INT, "--block is less than 2G.")
    }

    private fun requireThat(holds: Boolean, message: String) {
        if (!holds) throw ParameterException(command.commandLine(), message)
    }

    private companion object {
        const val DEFAULT_LOCAL = 16L shl 20

        /** Each buffer begins with its number. */
        const val LEAST_BUFFER = 8L
        const val MOST_INT = Int.MAX_VALUE.toLong()
    }
}

/** The number of bytes: of all ranks together, or of each. */
internal class Amount {
    @Option(names = ["--total"], paramLabel = "SIZE", description = ["What all ranks write together."])
    private var total: Long? = null

    @Option(names = ["--local"], paramLabel = "SIZE", description = ["What each rank writes (default: 16M)."])
    private var local: Long? = null

    fun bytesPerRank(rankCount: Int): Long? = total?.div(rankCount) ?: local
}
