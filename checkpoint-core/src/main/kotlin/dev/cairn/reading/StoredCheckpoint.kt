package dev.cairn.reading

import dev.cairn.checkpoint.Index
import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.StoredState
import dev.cairn.checkpoint.missingData
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Candidate
import dev.cairn.store.Manifest
import java.io.Closeable
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/**
 * An open checkpoint, without ranks and without the program that saved it. Its manifest and its index are checked when it is
 * opened. It owns the open files until the caller closes it; any thread may read.
 */
public class StoredCheckpoint internal constructor(internal val candidate: Candidate, internal val view: GlobalView) :
    Closeable by view {
        internal val manifest: Manifest get() = candidate.manifest
        private val index = Index.of(view, manifest)

        /** The packed tables of contents. */
        internal val packed: ByteBuffer = index.contents(manifest)
        internal val state = StoredState(view, manifest, index.tables(packed, manifest))

        /** The origin of the checkpoint. */
        @get:JvmName("save")
        public val save: StoredSave.Good = StoredSave.Good(candidate)

        /** In the order in which they were declared. */
        @get:JvmName("items")
        public val items: List<StoredItem> =
            manifest.keyed().map { (item, key) -> itemOf(ItemRecords(item, key, state)) }

        init {
            items.forEach { it.requireCounts() }
            index.requireCopyOf(candidate.stored)
        }

        /** The item [name]; otherwise an [IllegalArgumentException] lists the existing ones. */
        public fun item(name: String): StoredItem =
            requireNotNull(items.find { it.name == name }) {
                "${candidate.path} holds no item '$name', but ${items.joinToString { it.name }}."
            }

        public fun field(name: String): StoredField = item(name, StoredField::class.java, "a field")

        public fun table(name: String): StoredTable = item(name, StoredTable::class.java, "a table")

        public fun value(name: String): StoredBytes.Value =
            item(name, StoredBytes.Value::class.java, "a value that all ranks share")

        public fun rankValues(name: String): StoredBytes.RankValues =
            item(name, StoredBytes.RankValues::class.java, "a value of each rank's own")

        public fun streams(name: String): StoredBytes.Streams =
            item(name, StoredBytes.Streams::class.java, "a stream of each rank")

        /** The seed of the random streams [name]. */
        @Throws(IOException::class)
        public fun seed(name: String): Long = item(name, StoredSeed::class.java, "a seed of random streams").read()

        /** The size of the file of the output [name] at the save, in bytes. */
        @Throws(IOException::class)
        public fun outputLength(name: String): Long = item(name, StoredOutput::class.java, "an output").length()

        override fun toString(): String = "${candidate.path}"

        private fun <I : StoredItem> item(name: String, type: Class<I>, wanted: String): I {
            val item = item(name)
            require(type.isInstance(item)) { "'$name' in ${candidate.path} is of the kind ${item.kind}, not $wanted" }
            return type.cast(item)
        }
    }

/** The checkpoint of [candidate], whose data are open here; they are closed if its index is not good. */
internal fun GlobalView.checkpoint(candidate: Candidate): StoredCheckpoint =
    try {
        StoredCheckpoint(candidate, this)
    } catch (failure: Throwable) {
        use { throw failure }
    }

/** Opens the data of [candidate], and reads their index. */
internal fun BlockStore.openCheckpoint(candidate: Candidate): StoredCheckpoint =
    candidate.openData { Multifile.open(this, it) }.checkpoint(candidate)

/** Fails unless the index of [candidate] is good: what a restart reads and checks before it restores any data. */
internal fun BlockStore.requireIndex(candidate: Candidate) = openCheckpoint(candidate).close()

/** What [open] makes of the data of a finished save, which must be there. */
internal inline fun <T> Candidate.openData(open: (Path) -> T): T =
    try {
        open(data)
    } catch (_: NoSuchFileException) {
        throw missingData(data)
    }
