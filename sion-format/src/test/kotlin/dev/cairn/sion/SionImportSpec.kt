package dev.cairn.sion

import dev.cairn.house.importContract
import io.kotest.core.spec.style.FunSpec

class SionImportSpec :
    FunSpec({
        include(importContract())
    })
