package dev.cairn.java

import dev.cairn.arrays.OwnedArrays
import dev.cairn.arrays.readArrays
import dev.cairn.arrays.writeArrays
import dev.cairn.concentrate.Concentrators
import dev.cairn.failure.RankFailedException
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.file.Path
import java.util.function.Consumer

/**
 * Files of arrays that ranks write and read together, for Java. Each function is collective: all ranks call it, each on its own
 * thread, and if anything fails on any rank, all throw the same [RankFailedException].
 */
public object ParallelArrays {
    /** Writes the arrays that [declare] declares; see [writeArrays]. */
    @JvmStatic
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun write(
        ranks: BlockingCommunicator,
        file: Path,
        concentrators: Concentrators = Concentrators.perHost(1),
        store: BlockStore = FileBlockStore(),
        declare: Consumer<OwnedArrays>,
    ): Unit = ranks.call { writeArrays(file, concentrators, store, declare::accept) }

    /** Reads into the arrays that [declare] declares; see [readArrays]. */
    @JvmStatic
    @JvmOverloads
    @Throws(RankFailedException::class)
    public fun read(
        ranks: BlockingCommunicator,
        file: Path,
        concentrators: Concentrators = Concentrators.perHost(1),
        store: BlockStore = FileBlockStore(),
        declare: Consumer<OwnedArrays>,
    ): Unit = ranks.call { readArrays(file, concentrators, store, declare::accept) }
}
