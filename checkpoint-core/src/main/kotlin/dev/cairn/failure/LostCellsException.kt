package dev.cairn.failure

import java.io.IOException
import java.nio.file.Path

/**
 * A [log] has not what its rank had put. The file has not got it either, so no later save could succeed, and the output can only continue
 * from a checkpoint.
 */
internal class LostCellsException(
    log: Path,
    reason: String,
    cause: IOException? = null,
) : IOException(
        "$log: cells that wait in this log are lost, so no later save of this run can succeed. Start the program " +
            "again: it goes on from its last checkpoint. The reason: $reason",
        cause,
    )
