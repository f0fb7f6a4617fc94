package dev.cairn.testing

import dev.cairn.item.Declared
import dev.cairn.item.FileItem
import dev.cairn.item.ReadBackItem
import dev.cairn.run.TriedFiles
import dev.cairn.save.LoopPosition
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.readWhole
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap

/** The files of a run under trial. Sets a mark for each manifest that is given its name. */
internal class TriedStore(private val target: BlockStore, private val outputs: WatchedOutputs, val kept: KeptData) :
    BlockStore by target,
    TriedFiles {
    val marks = mutableListOf<Pair<Path, Waymark>>()
    val witnessed = ConcurrentHashMap<LoopPosition, MutableMap<Int, Map<String, ByteArray>>>()
    val outOfOrder = ConcurrentHashMap<String, Set<Int>>()
    private val declaredOutputs = ConcurrentHashMap<String, FileItem>()
    val readableItems = ConcurrentHashMap<String, ReadBackItem>()
    private var outputsNow = emptyMap<String, String>()

    override fun declared(declared: Declared) {
        declared.items.filterIsInstance<FileItem>().forEach { declaredOutputs[it.name] = it }
        declared.items.filterIsInstance<ReadBackItem>().forEach { readableItems[it.name] = it }
    }

    override fun saves(rank: Int, position: LoopPosition, witnessed: Map<String, ByteArray>) {
        val place = LoopPosition(position.step, position.phase)
        this.witnessed.computeIfAbsent(place) { ConcurrentHashMap() }[rank] = witnessed
    }

    override fun outOfOrder(rank: Int, tables: List<String>) =
        tables.forEach { table -> outOfOrder.merge(table, setOf(rank), Set<Int>::plus) }

    val declaredPaths: Set<Path> get() = declaredOutputs.values.mapTo(HashSet()) { it.absoluteFile }

    /** The declared outputs, also those that lie elsewhere. */
    fun declaredFiles(): Map<String, ByteArray> =
        declaredOutputs.filterValues { it.files.exists(it.file) }.mapValues { (_, output) ->
            checkNotNull(output.files.readWhole(output.file, MOST_BYTES)) { "${output.file} is too large for a trial" }
        }

    /**
     * A trial begins with an empty disk, and an output may be in any directory. The data of a save are created while all ranks
     * wait for that; when it is committed, the program may have gone on.
     */
    override fun create(file: Path): BlockFile {
        file.parent?.let(target::makeDirectories)
        if (file.name == SaveNames.DATA) outputsNow = outputs.digests()
        return target.create(file)
    }

    override fun rename(from: Path, to: Path) {
        target.rename(from, to)
        if (to.name != SaveNames.MANIFEST) return
        val manifest = ManifestFormat.read(target, to).manifest
        marks += to to Waymark(manifest, outputsNow)
        kept.keep(manifest.step, checkNotNull(to.parent), target)
    }
}
