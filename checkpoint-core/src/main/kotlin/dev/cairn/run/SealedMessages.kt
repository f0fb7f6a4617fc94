package dev.cairn.run

import dev.cairn.base.Structure
import dev.cairn.base.choice
import dev.cairn.base.flag
import dev.cairn.base.one
import dev.cairn.base.optional
import dev.cairn.base.text
import dev.cairn.comm.MessageFields
import dev.cairn.node.HostFinds
import dev.cairn.node.PartFlaw
import dev.cairn.node.SealedPart
import dev.cairn.node.Source
import dev.cairn.store.Flaw

/** The [parts] that the ranks drain before they meet again; none when the save [is committed][isCommitted] or given up. */
internal class Round(
    val parts: List<SealedPart>,
    val isCommitted: Boolean,
)

/** No rank can have the save. */
internal val GIVEN_UP = Round(emptyList(), isCommitted = false)

/** The flaws that a rank has found, by the names of the files. */
internal class PartFlaws(
    val flaws: Map<String, PartFlaw>,
)

private val TEXT = Structure("") { text(it) }

private val SOURCE = Structure(Source(0, null)) { Source(u32(it.rank), optional(it.host, TEXT)) }

private val PART =
    Structure(
        SealedPart("", Source(0, null), 0),
    ) { SealedPart(text(it.file), one(it.source, SOURCE), u32(it.checksum)) }

private val FLAW =
    Structure("" to PartFlaw(Flaw.DAMAGED, "")) { (file, it) ->
        text(file) to PartFlaw(choice(Flaw.entries, it.flaw), text(it.sentence))
    }

internal val HOST_FINDS =
    MessageFields("the files that a host holds", HostFinds("", emptyList())) {
        HostFinds(text(it.host), list(it.names, TEXT))
    }

internal val ROUND =
    MessageFields("the ranks that drain parts of a save", GIVEN_UP) {
        Round(list(it.parts, PART), flag(it.isCommitted))
    }

internal val PART_FLAWS =
    MessageFields("the flaws of files on hosts", PartFlaws(emptyMap())) {
        PartFlaws(list(it.flaws.toList(), FLAW).toMap())
    }
