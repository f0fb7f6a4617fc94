package dev.cairn.java

import dev.cairn.NetcdfBuilder
import dev.cairn.NetcdfOutput
import dev.cairn.StateBuilder
import dev.cairn.grid.Box
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.file.Path
import java.util.function.Consumer

/** A [NetcdfOutput] for Java. It belongs to the thread of one rank, and owns nothing that must be closed. */
public class BlockingNetcdfOutput internal constructor(
    private val output: NetcdfOutput,
    private val bridge: Bridge,
) {
    @get:JvmName("file")
    public val file: Path get() = output.file

    /** See [NetcdfOutput.recordCount]. */
    @get:JvmName("recordCount")
    public val recordCount: Long get() = output.recordCount

    /** Collective: see [NetcdfOutput.append]. */
    public fun append(): Long = bridge.call { output.append() }

    /** See [NetcdfOutput.put]. */
    public fun put(
        variable: String,
        record: Long,
        box: Box,
        values: Any,
    ): Unit = output.put(variable, record, box, values)

    /** Collective: see [NetcdfOutput.flush]. */
    public fun flush(): Unit = bridge.call { output.flush() }

    public companion object {
        /**
         * Declares an output among the state of a program with a loop of its own; see [StateBuilder.netcdf].
         *
         * @param files the file system in which it lies
         */
        @JvmStatic
        @JvmOverloads
        public fun declare(
            state: StateBuilder,
            name: String,
            file: Path,
            ranks: BlockingCommunicator,
            files: BlockStore = FileBlockStore(),
            declaration: Consumer<NetcdfBuilder>,
        ): BlockingNetcdfOutput {
            val output = state.netcdf(name, file, ranks.communicator, files = files) { declaration.accept(this) }
            return BlockingNetcdfOutput(output, ranks.bridge)
        }
    }
}
