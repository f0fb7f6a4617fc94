package dev.cairn.store

/**
 * The place of one physical file of a sealed save, as a line that people and programs read:
 *
 * ```
 * data.sion.000001 on node1 below /scratch/me/cairn-3f2a91c0-5d7e-8b64, meta data 9a0c33e1
 * ```
 *
 * @property checksum the CRC32C of META1 and META2 of the file, for which the format has none
 */
internal data class HostPlace(val file: String, val place: String, val checksum: Int) {
    val host: String get() = place.substringBefore(" below ")

    override fun toString(): String = "$file on $place"

    /** The line that [parse] reads. */
    val line: String get() = "$this, meta data %08x".format(checksum)

    companion object {
        private val shape = Regex("(\\S+) on (.*), meta data ([0-9a-f]{8})")

        /** Null if [line] does not have the format of a place. */
        fun parse(line: String): HostPlace? {
            val (file, place, checksum) = shape.matchEntire(line)?.destructured ?: return null
            return HostPlace(file, place, checksum.toLong(radix = 16).toInt())
        }
    }
}
