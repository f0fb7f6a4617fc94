package dev.cairn.reading

import dev.cairn.checkpoint.Contents
import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.ManifestCopy
import dev.cairn.checkpoint.StoredState
import dev.cairn.checkpoint.damagedContents
import dev.cairn.checkpoint.missingData
import dev.cairn.checkpoint.readIndex
import dev.cairn.checkpoint.wrongContents
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Candidate
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/** Reads and checks the index of a candidate, on one rank, before any of its data are restored. */
internal fun BlockStore.readContents(candidate: Candidate): ByteBuffer =
    candidate.openData { Multifile.open(this, it) }.use { it.readContents(candidate) }

/** What [open] makes of the data of a finished save, which must be there. */
internal inline fun <T> Candidate.openData(open: (Path) -> T): T =
    try {
        open(data)
    } catch (_: NoSuchFileException) {
        throw missingData(data)
    }

/** As above, for a candidate whose data are open. */
internal fun GlobalView.readContents(candidate: Candidate): ByteBuffer {
    val packed = readIndex(this, candidate)
    val root = Contents.root(packed)
    if (root != candidate.manifest.contents) {
        throw wrongContents(candidate.data, candidate.manifest.contents, root)
    }
    requireCounts(StoredState(this, candidate.manifest, requireReadable(packed, candidate)), candidate)
    ManifestCopy.requireSame(this, candidate.data, candidate.manifest)
    return packed
}

/** Refuses tables that cannot be decoded, before a restore relies on them. */
private fun requireReadable(
    packed: ByteBuffer,
    candidate: Candidate,
): Contents =
    try {
        Contents.unpack(packed)
    } catch (unfit: IllegalArgumentException) {
        throw damagedContents(candidate.data, unfit.message.toString())
    }

/** The manifest and the tables of contents must agree on the sizes, and there must be a table for each rank. */
private fun requireCounts(
    state: StoredState,
    candidate: Candidate,
) {
    val manifest = candidate.manifest
    val tableCount = state.contents.tables.size
    if (tableCount != manifest.rankCount) {
        val flaw = "they are those of $tableCount ranks, not of ${manifest.rankCount}"
        throw damagedContents(candidate.data, flaw)
    }
    manifest.keyed().forEach { (item, key) -> itemOf(ItemRecords(item, key, state)).requireCounts() }
}
