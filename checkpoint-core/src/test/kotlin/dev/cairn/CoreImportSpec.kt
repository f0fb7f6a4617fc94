package dev.cairn

import dev.cairn.house.importContract
import io.kotest.core.spec.style.FunSpec

class CoreImportSpec :
    FunSpec({
        include(importContract())
    })
