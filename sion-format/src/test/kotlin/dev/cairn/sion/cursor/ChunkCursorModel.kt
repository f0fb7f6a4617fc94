package dev.cairn.sion.cursor

/** Where a cursor stands, in the model below and in what C's table says. */
data class ChunkPlace(val block: Int, val position: Long) {
    override fun toString() = "block $block, position $position"
}

fun ChunkCursor.place() = ChunkPlace(block(), positionInBlock())

/** The first block that reaches up to [position], found by walking up. */
fun absolute(blocks: List<Int>, position: Long): ChunkPlace? {
    var start = 0L
    blocks.forEachIndexed { block, length ->
        if (position in start..start + length) return ChunkPlace(block, position - start)
        start += length
    }
    return null
}

/** The last block that reaches down to [byteCount] before the end, found by walking down. */
fun fromEnd(blocks: List<Int>, byteCount: Long): ChunkPlace? {
    var behind = 0L
    for (block in blocks.indices.reversed()) {
        if (byteCount in behind..behind + blocks[block]) return ChunkPlace(block, blocks[block] - (byteCount - behind))
        behind += blocks[block]
    }
    return null
}

fun inBlock(blocks: List<Int>, block: Int, position: Long): ChunkPlace? =
    ChunkPlace(block, position).takeIf { block in blocks.indices && position in 0..blocks[block] }

/** A cursor on a plain list of blocks. */
class CursorModel(private val blocks: List<ByteArray>) {
    var place = ChunkPlace(0, 0)

    private val left get() = blocks[place.block].size - place.position.toInt()

    fun advance(): Boolean {
        if (left > 0) return true
        if (place.block == blocks.lastIndex) return false
        place = ChunkPlace(place.block + 1, 0)
        return true
    }

    /** What is read, or null at the end. */
    fun read(byteCount: Int): ByteArray? {
        if (byteCount == 0) return ByteArray(0)
        while (left == 0) if (!advance()) return null
        val from = place.position.toInt()
        val read = blocks[place.block].drop(from).take(byteCount).toByteArray()
        place = ChunkPlace(place.block, place.position + read.size)
        return read
    }
}
