package dev.cairn.item

import dev.cairn.codec.Codec
import dev.cairn.codec.Codecs

/** The seed of random streams. The format names the function that makes numbers of it, which must never change. */
internal object SeedCodec : Codec<Long> by Codecs.LONG {
    override val format: String get() = "philox4x32-10"
}
