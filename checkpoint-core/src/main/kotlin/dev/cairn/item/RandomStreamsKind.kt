package dev.cairn.item

import dev.cairn.state.Codec
import dev.cairn.state.Codecs

/** Random numbers: a replicated item holds their seed. */
internal object RandomStreamsKind : SharedKind("randomStreams", StoredForm.SEED) {
    /** The function that makes random numbers of a seed, which must never change. */
    const val ALGORITHM = "philox4x32-10"
}

/** The seed of random streams, which the program returns and takes by [get] and [set]. */
internal class SeedItem(id: ItemName, private val get: () -> Long, set: (Long) -> Unit) :
    SharedItem by ReplicatedItem(id, Slot(id.today, SeedCodec, get, set), RandomStreamsKind) {
    val seed: Long get() = get()
}

/** The seeds of the random streams among [items], as a program has them before a restore. */
internal class GivenSeeds(items: List<StateItem>) {
    private val seeds = items.filterIsInstance<SeedItem>().associateWith { it.seed }

    /** Sentences on those that the restore of the save [number] has replaced by others. */
    fun changesBy(number: Int): List<String> =
        seeds.filter { (item, seed) -> item.seed != seed }.map { (item, seed) ->
            "'${item.name}' continues with the seed ${item.seed} of save $number, and not with $seed: to refuse a " +
                "restart with another seed, declare it as a parameter."
        }
}

/** The codec of seeds. The format names the function that makes random numbers of a seed. */
internal object SeedCodec : Codec<Long> by Codecs.LONG {
    override val format: String get() = RandomStreamsKind.ALGORITHM
}
