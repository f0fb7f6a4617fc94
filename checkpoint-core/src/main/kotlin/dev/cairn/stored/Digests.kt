package dev.cairn.stored

import dev.cairn.cells.DigestFormula
import dev.cairn.store.Manifest

/** By what formula the digests of this checkpoint were computed. */
internal val Manifest.digestFormula: DigestFormula get() =
    if (format.major ==
        1
    ) {
        DigestFormula.MIXES
    } else {
        DigestFormula.PRODUCTS
    }
