package dev.cairn.concentrate

import dev.cairn.ranks.BYTES
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.decide
import dev.cairn.ranks.gatherText
import dev.cairn.ranks.longsOf
import dev.cairn.sion.stripe.Striping
import dev.cairn.sion.stripe.SubFileLayout

/**
 * A logical file of [length] bytes that is to be dealt to concentrators in stripes. Alike on all ranks.
 *
 * @param stripeDepth the bytes of a stripe for a number of concentrators
 * @param frameSize see [ServedFile]
 */
internal class LogicalFile(
    val length: Long,
    val frameSize: Long = 1,
    val stripeDepth: (concentratorCount: Int) -> Long,
)

/**
 * Collective: deals the stripes of [file] to the ranks that are the [concentrators] of rank [ROOT]. It decides for all, since lists of
 * hosts on all ranks would grow with the square of their number.
 *
 * @param request what this rank has of the file
 */
internal suspend fun Communicator.deal(concentrators: Concentrators, file: LogicalFile, request: Request): ServedFile {
    val hosts = gatherText(ROOT, host)
    val answer =
        longsOf(
            decide("choose concentrators", BYTES) {
                val chosen = concentrators.among(hosts)
                bytesOf(if (concentrators.areNear) 1 else 0, *LongArray(chosen.size) { chosen[it].toLong() })
            },
        )
    val chosen = answer.drop(1).map { it.toInt() }
    val depth = file.stripeDepth(chosen.size)
    val layout: SubFileLayout =
        if (answer[0] == 1L) placeNear(chosen, hosts, depth, file.length, request) else Striping.of(depth, chosen.size)
    val slice = minOf(depth, file.frameSize * maxOf(1, LARGEST_SLICE / file.frameSize))
    return ServedFile(layout, chosen, windowDepth(slice, chosen.size), file.frameSize, file.length, slice)
}

/** With very many ranks, a window has several slices, so that messages do not become too small. */
private fun Communicator.windowDepth(slice: Long, concentratorCount: Int): Long {
    val slices = size * LEAST_PIECE / (slice * concentratorCount)
    return slice * slices.coerceIn(1, maxOf(1, LARGEST_WINDOW / slice))
}

/** The bytes that a rank should send in a message at least. */
private const val LEAST_PIECE = 16L shl 10

/** The most memory of a concentrator for the messages of a window. */
private const val LARGEST_WINDOW = 64L shl 20

/** The most bytes that a concentrator puts into place in its memory and then writes. */
private const val LARGEST_SLICE = 16L shl 20
