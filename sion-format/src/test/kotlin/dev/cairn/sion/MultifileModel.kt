package dev.cairn.sion

import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.charset.StandardCharsets.ISO_8859_1
import java.nio.file.Path

/**
 * What a strict reader must make of some physical files: the format's specification (docs/format.md) stated once more,
 * as plainly as possible, on whole files in memory. It shares no code with the reader that it judges.
 *
 * Where it refuses more than a reader needs for finding its way, a comment says why.
 */
class MultifileModel(
    private val files: Map<Path, ByteArray>,
) {
    /** The global view: all tasks of all physical files, if [path] is the first of several. */
    fun open(path: Path): ModelContent {
        val first = ModelFile(path, bytesOf(path))
        val mapping = mappingOf(first) ?: return ModelContent(listOf(first), places = null)
        val members = listOf(first) + (1 until first.fileCount).map { memberOf(first, it) }
        mapping.forEach { place -> demandRank(members[place.file], place) }
        // Two tasks in one place, or data that no task has: some task's data would be shown twice or never.
        demand(mapping.toSet().size == mapping.size, "the mapping names a place twice")
        members.forEachIndexed { file, member ->
            val named = mapping.filter { it.file == file }.map { it.localRank }.toSet()
            val hidden = (0 until member.taskCount) - named
            demand(hidden.all { member.stream(it).isEmpty() }, "the mapping leaves data out")
        }
        return ModelContent(members, mapping)
    }

    /** One task; only the first physical file and the task's own one are looked at. */
    fun openTask(
        path: Path,
        task: Int,
    ): ModelTask {
        val first = ModelFile(path, bytesOf(path))
        val mapping = mappingOf(first)
        if (task !in 0 until (mapping?.size ?: first.taskCount)) throw NoSuchTask()
        val place = mapping?.get(task) ?: ModelPlace(0, task)
        val member = if (place.file == 0) first else memberOf(first, place.file)
        demandRank(member, place)
        return ModelTask(member, place)
    }

    private fun bytesOf(path: Path) = files[path] ?: throw Refused("a physical file is missing")

    private fun mappingOf(first: ModelFile) =
        if (first.fileCount > 1 &&
            first.fileNumber == 0
        ) {
            first.mapping()
        } else {
            null
        }

    private fun memberOf(
        first: ModelFile,
        number: Int,
    ): ModelFile {
        val path = first.path.resolveSibling("${first.path.fileName}.${number.toString().padStart(6, '0')}")
        val member = ModelFile(path, bytesOf(path))
        demand(member.fileNumber == number, "a member has another number than its name says")
        // All that is equal in the files of one multifile. The library's version is not asked for: no byte that
        // follows depends on it, and hosts with different patch levels may have written together.
        demand(
            member.fileCount == first.fileCount &&
                member.version == first.version &&
                member.blockSize == first.blockSize &&
                member.endiannessWord == first.endiannessWord &&
                member.flag1 == first.flag1 &&
                member.flag2 == first.flag2 &&
                member.prefix == first.prefix,
            "a member belongs to another multifile",
        )
        return member
    }

    private fun demandRank(
        member: ModelFile,
        place: ModelPlace,
    ) = demand(place.localRank < member.taskCount, "the mapping names a task that its file does not have")
}

/** The model says that these bytes must not be read. */
class Refused(
    why: String,
) : Exception(why, null, false, false)

/** The multifile is in order, but has no task of this number. */
class NoSuchTask : Exception("no such task", null, false, false)

private fun demand(
    condition: Boolean,
    otherwise: String,
) {
    if (!condition) throw Refused(otherwise)
}

data class ModelPlace(
    val file: Int,
    val localRank: Int,
)

/** What the global view shows; without [places] there is one file and its tasks in order. */
class ModelContent(
    val files: List<ModelFile>,
    private val places: List<ModelPlace>?,
) {
    val first: ModelFile = files[0]
    val spansFiles: Boolean = places != null
    val tasks: List<ModelTask> =
        (places ?: List(first.taskCount) { ModelPlace(0, it) }).map { ModelTask(files[it.file], it) }

    /** Whether a reader sees no difference between the two. */
    fun looksLike(other: ModelContent): Boolean =
        first.looksLike(other.first) && tasks.size == other.tasks.size &&
            tasks.indices.all { tasks[it].looksLike(other.tasks[it]) }
}

/** One task of the global view. */
class ModelTask(
    private val file: ModelFile,
    val place: ModelPlace,
) {
    val globalRank: Long get() = file.globalRanks[place.localRank]
    val chunkSize: Long get() = file.chunkSizes[place.localRank]
    val bytesInBlocks: List<Long> get() = file.bytesInBlocks[place.localRank]

    val holdsRecords: Boolean get() = file.holdsRecords
    val stream: ByteArray by lazy(LazyThreadSafetyMode.NONE) { file.stream(place.localRank) }

    /** Where a byte of the stream lies in its physical file. */
    fun offset(position: Long): Long = file.offset(place.localRank, position)

    val path: Path get() = file.path

    fun looksLike(other: ModelTask): Boolean =
        place == other.place && globalRank == other.globalRank && chunkSize == other.chunkSize &&
            bytesInBlocks == other.bytesInBlocks && stream.contentEquals(other.stream)

    /** The records of a key-value stream, or null where it is not a row of whole records. */
    fun records(): List<ModelRecord>? =
        try {
            recordsIn(ByteBuffer.wrap(stream).order(file.order))
        } catch (refused: Refused) {
            null
        }
}

/** One record of a key-value stream; its value begins at [position]. */
data class ModelRecord(
    val key: Long,
    val position: Long,
    val length: Long,
)

private fun recordsIn(stream: ByteBuffer): List<ModelRecord> {
    val records = mutableListOf<ModelRecord>()
    while (stream.hasRemaining()) {
        demand(stream.remaining() >= 16, "a record header is cut")
        val key = stream.getLong()
        val length = stream.getLong()
        // The length is unsigned, so a negative one is larger than every file.
        demand(length in 0..stream.remaining(), "a record is longer than the rest of its stream")
        records += ModelRecord(key, stream.position().toLong(), length)
        stream.position(stream.position() + length.toInt())
    }
    return records
}

/** One physical file, read from the top of META1 to the end of META2. */
class ModelFile(
    val path: Path,
    bytes: ByteArray,
) {
    private val raw = ByteBuffer.wrap(bytes)
    private val size = bytes.size.toLong()

    init {
        demand(size >= 32, "it ends inside META1")
        demand(String(bytes, 0, 4, ISO_8859_1) == "sion", "it is no multifile")
    }

    val order: ByteOrder = metaOrder()
    val endiannessWord: Int = i32(4)

    /** Bytes 5 and 6 should agree; where they do not, C on today's machines looks at byte 5. */
    val userDataIsBig: Boolean = raw.get(5).toInt() and 1 == 1
    val libraryVersion: Int = i32(8)
    val patchLevel: Int = i32(12)

    // A format that did not exist when this was written may mean anything, so newer ones are refused as well.
    val version: Int = i32(16).also { demand(it in 2..5, "the format is unknown") }
    val blockSize: Int = i32(20).also { demand(it >= 1, "the block size is not positive") }
    val taskCount: Int = i32(24).also { demand(it in 1..MOST_TASKS, "the number of tasks is impossible") }
    val fileCount: Int = i32(28).also { demand(it >= 1, "the number of files is not positive") }

    private val shift = if (version == 2) 20 else 0
    val fileNumber: Int = if (version == 2) 1 else i32(32)
    val flag1: Long = if (version == 2) 0 else i64(36)
    val flag2: Long = if (version == 2) 0 else i64(44)

    init {
        // Serial writers number their only file 1. Any other number outside the set is one that no writer gives.
        demand(fileNumber in 0 until fileCount || (fileNumber == 1 && fileCount == 1), "the file number is impossible")
        demand(size >= 1088L - shift + 16L * taskCount, "it ends inside META1")
    }

    /** Names are bytes to C. Here they are UTF-8, or if they are not, one character a byte. */
    val prefix: String = nameIn(bytes.copyOfRange(52 - shift, 1076 - shift))
    val globalRanks: List<Long> = i64s(1076L - shift, taskCount)
    val chunkSizes: List<Long> = i64s(1076L - shift + 8L * taskCount, taskCount)
    val maxBlocks: Int = i32(1076L - shift + 16L * taskCount)
    private val metaTwo = i64(1080L - shift + 16L * taskCount)

    /** Formats 2 and 3 hold the sizes that were asked for, and lay the chunks out as if they were rounded up. */
    private val room: List<Long> =
        chunkSizes.map {
            demand(it in 0..size, "a chunk size is negative, or larger than the file")
            if (version <= 3) up(it) else it
        }
    private val firstChunk = up(1088L + 16L * taskCount)
    private val starts: List<Long> = room.runningFold(firstChunk, Long::plus)
    private val stride = starts.last() - firstChunk

    init {
        demand(metaTwo != 0L, "it was never closed")
        demand(maxBlocks >= 1, "the number of blocks is not positive")
        demand(metaTwo <= size && metaTwo == firstChunk + stride * maxBlocks, "META2 does not follow the last block")
        demand(size >= metaTwoEnd(), "it ends inside META2")
    }

    private val blockCounts: List<Long> = i64s(metaTwo, taskCount)

    init {
        demand(blockCounts.all { it in 1..maxBlocks }, "a task has an impossible number of blocks")
        // By its definition; where it is larger, some task has lost a block.
        demand(blockCounts.max() == maxBlocks.toLong(), "no task has the largest number of blocks")
    }

    /** A block in format 2 or 3 may be longer than its task asked for, as long as the chunk holds it. */
    val bytesInBlocks: List<List<Long>> =
        List(taskCount) { task ->
            List(blockCounts[task].toInt()) { block ->
                entry(task, block).also { demand(it in 0..room[task], "a block holds more than its chunk") }
            }
        }

    init {
        // Bytes behind a task's last block mean that its number of blocks has shrunk.
        for (task in 0 until taskCount) {
            for (block in blockCounts[task].toInt() until maxBlocks) {
                demand(entry(task, block) in -1..0, "a block that no task uses holds bytes")
            }
        }
    }

    private fun entry(
        task: Int,
        block: Int,
    ) = i64(metaTwo + 8L * taskCount * (1 + block) + 8L * task)

    val holdsRecords: Boolean get() = version == 5 && flag1 ushr 32 == 51L

    fun mapping(): List<ModelPlace> {
        val count = i32(metaTwoEnd())
        // Every file has a task, so fewer tasks than files is damage: of the number of files or of this one.
        demand(count >= fileCount, "the mapping has fewer tasks than there are files")
        demand(size >= metaTwoEnd() + 4 + 8L * count, "it ends inside the mapping")
        return List(count) { task ->
            val file = i32(metaTwoEnd() + 4 + 8L * task)
            val localRank = i32(metaTwoEnd() + 8 + 8L * task)
            demand(file in 0 until fileCount, "the mapping names a file that is not of the set")
            demand(localRank in 0 until MOST_TASKS, "the mapping names an impossible local rank")
            ModelPlace(file, localRank)
        }
    }

    /** Whether META1 says the same of the whole multifile. */
    fun looksLike(other: ModelFile): Boolean = summary() == other.summary()

    private fun summary(): List<Any> =
        listOf(order, userDataIsBig, libraryVersion, patchLevel, version, blockSize, fileCount, fileNumber) +
            listOf(flag1, flag2, prefix)

    fun stream(task: Int): ByteArray {
        val stream = ByteBuffer.allocate(bytesInBlocks[task].sum().toInt())
        bytesInBlocks[task].forEachIndexed { block, bytes ->
            stream.put(raw.slice((starts[task] + block * stride).toInt(), bytes.toInt()))
        }
        return stream.array()
    }

    fun offset(
        task: Int,
        position: Long,
    ): Long {
        val ends = bytesInBlocks[task].runningReduce(Long::plus)
        val block = ends.indexOfFirst { position < it }
        return starts[task] + block * stride + position - (ends[block] - bytesInBlocks[task][block])
    }

    /** Where a task's chunk in a block begins. */
    fun chunkStart(
        task: Int,
        block: Int,
    ): Long = starts[task] + block * stride

    /** Where META1 ends; format 2 keeps room for a longer one. */
    fun metaOneEnd(): Long = 1088L - shift + 16L * taskCount

    /** Where META2 begins and where it ends; what follows is the mapping, or nothing that is looked at. */
    fun metaTwoStart(): Long = metaTwo

    fun metaTwoEnd(): Long = metaTwo + 8L * taskCount * (1L + maxBlocks)

    /** Bit 0 of the word in both orders; where the two contradict each other, the order that makes sense. */
    private fun metaOrder(): ByteOrder {
        val first = raw.get(4).toInt() and 1
        val last = raw.get(7).toInt() and 1
        val sensible = ORDERS.filter { order -> makesSense(order) }
        return when {
            first == 0 && last == 0 -> ByteOrder.LITTLE_ENDIAN
            first == 1 && last == 1 -> ByteOrder.BIG_ENDIAN
            else -> sensible.firstOrNull() ?: throw Refused("the byte order is contradictory")
        }
    }

    private fun makesSense(order: ByteOrder): Boolean {
        raw.order(order)
        return raw.getInt(16) in 2..5 && raw.getInt(20) >= 1 && raw.getInt(24) >= 1
    }

    private fun i32(at: Long): Int {
        demand(at + 4 <= size, "it ends too early")
        return raw.order(order).getInt(at.toInt())
    }

    private fun i64(at: Long): Long {
        demand(at + 8 <= size, "it ends too early")
        return raw.order(order).getLong(at.toInt())
    }

    private fun i64s(
        at: Long,
        count: Int,
    ): List<Long> = List(count) { i64(at + 8L * it) }

    private fun up(bytes: Long) = (bytes + blockSize - 1) / blockSize * blockSize

    private companion object {
        val ORDERS = listOf(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)

        /** META1 must stay below 2 GiB. */
        const val MOST_TASKS = (Int.MAX_VALUE - 1088) / 16
    }
}

private fun nameIn(field: ByteArray): String {
    val bytes = field.copyOf(field.indexOf(0).takeIf { it >= 0 } ?: field.size)
    val text = bytes.decodeToString()
    return if (text.encodeToByteArray().contentEquals(bytes)) text else String(bytes, ISO_8859_1)
}
