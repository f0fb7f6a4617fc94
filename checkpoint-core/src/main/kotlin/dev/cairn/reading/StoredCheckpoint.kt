package dev.cairn.reading

import dev.cairn.checkpoint.Contents
import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.StoredState
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Candidate
import dev.cairn.store.Manifest
import java.io.Closeable
import java.io.IOException

/**
 * An open checkpoint, without ranks and without the program that saved it. Its manifest and its index are checked when it is
 * opened. It owns the open files until the caller closes it; any thread may read.
 */
public class StoredCheckpoint internal constructor(
    internal val candidate: Candidate,
    internal val view: GlobalView,
) : Closeable by view {
    internal val manifest: Manifest get() = candidate.manifest
    internal val contents: Contents = Contents.unpack(view.readContents(candidate))

    /** The origin of the checkpoint. */
    @get:JvmName("save")
    public val save: StoredSave.Good = StoredSave.Good(candidate)

    /** In the order in which they were declared. */
    @get:JvmName("items")
    public val items: List<StoredItem> =
        StoredState(view, manifest, contents).let { state ->
            manifest.keyed().map { (item, key) -> itemOf(ItemRecords(item, key, state)) }
        }

    /** The item [name]; otherwise an [IllegalArgumentException] lists the existing ones. */
    public fun item(name: String): StoredItem =
        requireNotNull(items.find { it.name == name }) {
            "${candidate.path} holds no item '$name', but ${items.joinToString { it.name }}."
        }

    public fun field(name: String): StoredField = item(name, StoredField::class.java, "a field")

    public fun table(name: String): StoredTable = item(name, StoredTable::class.java, "a table")

    public fun value(name: String): StoredValue = item(name, StoredValue::class.java, "a value that all ranks share")

    public fun rankValues(name: String): StoredRankValues =
        item(name, StoredRankValues::class.java, "a value of each rank's own")

    public fun streams(name: String): StoredStreams = item(name, StoredStreams::class.java, "a stream of each rank")

    /** The seed of the random streams [name]. */
    @Throws(IOException::class)
    public fun seed(name: String): Long = item(name, StoredSeed::class.java, "a seed of random streams").read()

    /** The size of the file of the output [name] at the save, in bytes. */
    @Throws(IOException::class)
    public fun outputLength(name: String): Long = item(name, StoredOutput::class.java, "an output").length()

    override fun toString(): String = "${candidate.path}"

    private fun <I : StoredItem> item(
        name: String,
        type: Class<I>,
        wanted: String,
    ): I {
        val item = item(name)
        require(type.isInstance(item)) { "'$name' in ${candidate.path} is of the kind ${item.kind}, not $wanted" }
        return type.cast(item)
    }
}

/** Opens the data of [candidate], and reads their index. */
internal fun BlockStore.openCheckpoint(candidate: Candidate): StoredCheckpoint {
    val view = candidate.openData { Multifile.open(this, it) }
    try {
        return StoredCheckpoint(candidate, view)
    } catch (failure: Throwable) {
        view.use { throw failure }
    }
}
