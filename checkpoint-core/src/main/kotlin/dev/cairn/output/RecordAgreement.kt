package dev.cairn.output

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.collectively
import java.nio.file.Path

/** How many records the output at [path] has, as its ranks agree. */
internal open class RecordAgreement(private val ranks: Communicator, private val path: Path) {
    /**
     * Collective: the records of all ranks together.
     *
     * @param appended the number of the next record that this rank appends
     * @param put how many there are as far as the puts of this rank tell; 0 if none of its cells wait
     * @param written how many are in the file; never fewer are returned
     */
    open suspend fun count(appended: Long, put: Long, written: Long): Long {
        val (most, least, mostPut) = ranks.allReduce(longArrayOf(appended, -appended, put), Math::max)
        if (most != -least) refuse(appended, -least, most)
        return maxOf(most, mostPut, written)
    }

    /** Collective. */
    private suspend fun refuse(appended: Long, least: Long, most: Long): Nothing =
        ranks.collectively("compare the records of $path") {
            throw IllegalStateException(
                "rank ${ranks.rank} has appended $appended records, but others between $least and $most. Let " +
                    "all ranks append in the same steps",
            )
        }
}
