package dev.cairn.checkpoint

import dev.cairn.redistribution.DigestFormula
import dev.cairn.store.Manifest

/** The formula of this checkpoint's digests. */
internal val Manifest.digestFormula: DigestFormula get() =
    if (format.major ==
        1
    ) {
        DigestFormula.MIXES
    } else {
        DigestFormula.PRODUCTS
    }
