@file:JvmSynthetic

package dev.cairn.output

import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.JoinedRequest
import dev.cairn.concentrate.Request
import dev.cairn.concentrate.ServedFile
import dev.cairn.concentrate.deal
import dev.cairn.concentrate.writeConcentrated
import dev.cairn.event.counted
import dev.cairn.output.OwnedArrays.OwnedArray
import dev.cairn.ranks.BYTES
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.broadcastText
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.collectively
import dev.cairn.ranks.decide
import dev.cairn.ranks.gather
import dev.cairn.ranks.longsOf
import dev.cairn.ranks.textOf
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Collective: writes arrays that the ranks own together into [file], each in row-major order, so that any ranks can read them with
 * [readArrays], and other programs as raw little-endian numbers (docs/how-to/arrays.md). Each cell has one owner.
 *
 * Returns on all ranks when the file is durable. It then replaces an older one of its name at once; until then its name ends with
 * `.part`. On a failure all ranks throw the same [dev.cairn.event.RankFailedException], and the older file stays. Programs that
 * write the same file at the same time do not disturb each other: the last one to finish replaces what the others wrote.
 *
 * @param concentrators the ranks that write for all; those of rank 0 count
 * @param store where the file is; the ranks of a process may share one
 * @param declare called once on each rank
 */
public suspend fun Communicator.writeArrays(
    file: Path,
    concentrators: Concentrators = Concentrators.perHost(1),
    store: BlockStore = FileBlockStore(),
    declare: OwnedArrays.() -> Unit,
) {
    val path = file.toAbsolutePath()
    val writing = during("write the arrays of $file")
    val arrays = writing.declared("writes", path, declare)
    writing.requireTiled(arrays)
    val plan = ArrayFilePlan.of(arrays)
    val request = writing.requestFor(arrays, plan)
    val set = writing.deal(concentrators, plan.file, request)
    ArrayFileWriting(writing, store, path, plan, set, request).write()
}

/**
 * Collective: the arrays that all ranks declare alike.
 *
 * @param verb what this rank does with [path]; all ranks do the same
 */
internal suspend fun Communicator.declared(
    verb: String,
    path: Path,
    declare: OwnedArrays.() -> Unit,
): List<OwnedArray> {
    val arrays =
        collectively("declare arrays") {
            requireNotNull(path.fileName) { "$path names no file" }
            OwnedArrays().apply(declare).list()
        }
    val own = "$verb $path with the arrays ${arrays.joinToString("; ") { it.entryAt(0).facts() }}"
    val first = broadcastText(ROOT) { own }
    collectively("compare the calls of all ranks") {
        require(own == first) {
            "it $own, but rank $ROOT $first. Let all ranks do the same with one file, and declare its arrays in one order"
        }
    }
    return arrays
}

/** Collective: together with the refusal of overlaps when they are written, this finds every cell that has no owner. */
private suspend fun Communicator.requireTiled(arrays: List<OwnedArray>) {
    if (arrays.isEmpty()) return
    val owned = allReduce(LongArray(arrays.size) { arrays[it].box.cellCount() }, Math::addExact)
    val untiled = arrays.indices.firstOrNull { owned[it] != arrays[it].shape.cellCount() } ?: return
    // All ranks come here or none, since all have the same counts: nothing is settled where nothing is wrong.
    collectively("compare the boxes of all ranks") {
        val array = arrays[untiled]
        val cells = counted(array.shape.cellCount(), "cell")
        throw IllegalArgumentException(
            "array '${array.name}' has $cells, but the boxes of all ranks have ${owned[untiled]}. Let each cell have one owner",
        )
    }
}

/** The boxes of this rank; rank [ROOT] fills what lies between arrays. */
private fun Communicator.requestFor(arrays: List<OwnedArray>, plan: ArrayFilePlan): Request {
    val owned = arrays.zip(plan.entries) { array, entry -> array.requestAt(entry.offset) }
    return JoinedRequest(if (rank == ROOT) owned + plan.gaps() else owned)
}

/** The writing of one file. */
private class ArrayFileWriting(
    private val ranks: Communicator,
    private val store: BlockStore,
    private val path: Path,
    private val plan: ArrayFilePlan,
    private val set: ServedFile,
    private val request: Request,
) {
    private val isConcentrator = ranks.rank in set.concentrators

    /** On rank 0. */
    private var part: PartFile? = null

    /** On rank 0 and on concentrators. */
    private var file: BlockFile? = null
    private val sums = LongArray(ArrayTable.frameCountOf(plan.length, plan.frameSize).toInt())

    suspend fun write() {
        try {
            val id = textOf(ranks.decide("create a part of $path", BYTES) { bytesOf(createPart().id) })
            ranks.collectively("open the part of $path") { file = part?.file ?: open(id) }
            writeCells()
            complete()
        } finally {
            file?.close()
            part?.close()
        }
    }

    private fun createPart() = PartFile.create(store, path).also { part = it }

    private fun open(id: String): BlockFile? =
        if (isConcentrator) store.open(PartFile.nameOf(path, id), Access.READ_WRITE) else null

    private suspend fun writeCells() {
        val shared = file?.let { SharedFile(it, set.layout, plan.frameSize, sums) }
        val write = { number: Int, position: Long, bytes: ByteBuffer -> shared!!.write(number, position, bytes) }
        ranks.writeConcentrated(set, request, write, nameOf = plan::nameOf)
        ranks.collectively("force the part of $path") { if (isConcentrator) file!!.force() }
    }

    private suspend fun complete() {
        val all = ranks.gather(ROOT, if (isConcentrator) bytesOf(*sums) else bytesOf(*LongArray(0)))
        ranks.collectively("complete $path") { part?.complete(all.map(::longsOf)) }
    }

    /** Each frame was written by one concentrator; the others have zeros for it. */
    private fun PartFile.complete(sumsOfRanks: List<LongArray>) {
        val sums = List(sums.size) { frame -> sumsOfRanks.sumOf { if (it.isEmpty()) 0 else it[frame] } }
        file.write(plan.length, ArrayFileEnd.encode(ArrayTable(plan.entries, plan.length, plan.frameSize, sums)))
        file.force()
        publish()
    }
}
