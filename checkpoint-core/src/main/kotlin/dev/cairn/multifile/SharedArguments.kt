package dev.cairn.multifile

import dev.cairn.event.rankText
import dev.cairn.sion.MultifileSpec

/** An argument that must be the same on all ranks. */
internal class Argument(private val name: String, val value: Any) {
    override fun toString() = "$name $value"
}

internal fun MultifileSpec.sharedArguments(): List<Argument> =
    listOf(
        Argument("path", path()),
        Argument("block size", if (blockSize().isPresent) blockSize().asInt else "of the file system"),
        Argument("mapping", mapping()),
        Argument("grouping", grouping()),
        Argument("chunk limit", chunkLimit()),
        Argument("levels of buddies", buddyLevels()),
        Argument("dialect", dialect()),
        Argument("content", content()),
        Argument("byte order", userDataOrder()),
        Argument("byte order of meta data", metaDataOrder()),
        Argument("force policy", forcePolicy()),
    )

/** FNV-1a over the values' texts. Every rank computes one, so it makes no copies of them. */
internal fun fingerprint(arguments: List<Argument>): Long {
    var sum = FNV_BASIS
    for (argument in arguments) {
        for (letter in argument.value.toString()) sum = (sum xor letter.code.toLong()) * FNV_PRIME
        sum = (sum xor SEPARATOR) * FNV_PRIME
    }
    return sum
}

private const val FNV_BASIS = -0x340d631b7bdddcdbL
private const val FNV_PRIME = 0x100000001b3L
private const val SEPARATOR = 0xffffL

/** The first argument that is not the same on all ranks, with the ranks that pass each value. */
internal fun difference(argumentsOfRanks: List<List<String>>): String {
    val index =
        argumentsOfRanks[0].indices.first { at ->
            argumentsOfRanks.any { it[at] != argumentsOfRanks[0][at] }
        }
    val ranksByValue = argumentsOfRanks.indices.groupBy { argumentsOfRanks[it][index] }
    val ranksOfValues = ranksByValue.entries.joinToString("; ") { (value, ranks) -> "$value: ${rankText(ranks)}" }
    return "the ranks do not specify the same multifile ($ranksOfValues). Pass the same arguments on all ranks."
}
