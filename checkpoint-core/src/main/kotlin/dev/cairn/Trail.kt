package dev.cairn

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.SimulatedDisk
import dev.cairn.state.PerRankItem
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import java.nio.file.Path

/** Where two trails part: after [step] steps, in these [items]. */
internal class Difference(
    val step: Long,
    val items: List<String>,
)

/** The manifests of all checkpoints that a program has made in a place of its own, in order; they outlive their data. */
internal class Trail {
    private val files = ManifestCopies(SimulatedDisk().host("trial"))

    val saves: List<Manifest> get() = files.manifests

    /** Plays on, from the last checkpoint if there is one. */
    suspend fun play(
        rankCount: Int,
        stopAt: Long?,
        program: suspend (rankCount: Int, RestartTrial.Attempt) -> Unit,
    ) = program(rankCount, RestartTrial.Attempt(stopAt, files))

    /** The first save in which [other] is not the same; null if it is the same as far as it goes. */
    fun difference(other: Trail): Difference? =
        other.saves.indices.firstNotNullOfOrNull { at ->
            val own = saves.getOrNull(at)
            val items = if (own == null) listOf("the last step") else differentItems(own, other.saves[at])
            Difference(other.saves[at].step, items).takeIf { items.isNotEmpty() }
        }

    /** Where [other] has ended, if this goes on. */
    fun firstBeyond(other: Trail): Difference? =
        saves.getOrNull(other.saves.size)?.let { Difference(it.step, listOf("the last step")) }

    private fun differentItems(
        one: Manifest,
        other: Manifest,
    ): List<String> {
        if (one.step != other.step || one.phase != other.phase) return listOf("the steps that are saved")
        val isComparable = one.rankCount == other.rankCount
        return one.items
            .zip(other.items)
            .filter { (mine, its) -> mine.digest != its.digest && (isComparable || mine.kind != PerRankItem.KIND) }
            .map { (mine, _) -> mine.name }
    }
}

/** Keeps a copy of each manifest that is given its name. */
private class ManifestCopies(
    private val target: BlockStore,
) : BlockStore by target {
    val manifests = mutableListOf<Manifest>()

    override fun rename(
        from: Path,
        to: Path,
    ) {
        target.rename(from, to)
        if (to.fileName.toString() == SaveNames.MANIFEST) manifests += ManifestFormat.read(target, to).manifest
    }
}
