package dev.cairn.examples

import dev.cairn.house.importContract
import io.kotest.core.spec.style.FunSpec

class ExamplesImportSpec :
    FunSpec({
        include(importContract())
    })
