package dev.cairn.item

import dev.cairn.codec.Codec
import dev.cairn.codec.Codecs

/** Random numbers: a replicated item holds their seed. */
internal object RandomStreamsKind : SharedKind("randomStreams", StoredForm.SEED)

/** The seed of random streams, which the program returns and takes by [get] and [set]. */
internal fun randomStreamsItem(
    name: String,
    key: Int,
    formerNames: List<String>,
    get: () -> Long,
    set: (Long) -> Unit,
) = ReplicatedItem(name, key, formerNames, Slot(SeedCodec, get, set), RandomStreamsKind)

/** The codec of seeds. The format names the function that makes random numbers of a seed, which must never change. */
internal object SeedCodec : Codec<Long> by Codecs.LONG {
    override val format: String get() = "philox4x32-10"
}
