package dev.cairn.concentrate

import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.comm.answerFrom
import dev.cairn.comm.bytesOf
import dev.cairn.comm.gatherText
import dev.cairn.comm.longsOf
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
internal suspend fun Communicator.deal(
    concentrators: Concentrators,
    file: LogicalFile,
    request: Request,
): ServedFile {
    val hosts = gatherText(ROOT, host)
    val answer =
        longsOf(
            answerFrom(ROOT, "choose concentrators") {
                val chosen = concentrators.among(hosts)
                bytesOf(if (concentrators.areNear) 1 else 0, *LongArray(chosen.size) { chosen[it].toLong() })
            },
        )
    val chosen = answer.drop(1).map { it.toInt() }
    val depth = file.stripeDepth(chosen.size)
    val layout: SubFileLayout =
        if (answer[0] == 1L) placeNear(chosen, hosts, depth, file.length, request) else Striping.of(depth, chosen.size)
    return ServedFile(layout, chosen, windowDepth(depth, chosen.size), file.frameSize, file.length)
}

/** With very many ranks, a window has several stripes of each concentrator, so that what a rank has of it is worth a message. */
private fun Communicator.windowDepth(
    stripe: Long,
    concentratorCount: Int,
): Long {
    val stripes = size * LEAST_PIECE / (stripe * concentratorCount)
    return stripe * stripes.coerceIn(1, maxOf(1, LARGEST_WINDOW / stripe))
}

/** What a rank sends in a message, if it has so much. */
private const val LEAST_PIECE = 16L shl 10

/** A concentrator has so much memory for a window, unless a single stripe is larger. */
private const val LARGEST_WINDOW = 64L shl 20
