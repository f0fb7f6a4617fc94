package dev.cairn

import dev.cairn.house.importContract
import dev.cairn.house.packageCirclesContract
import dev.cairn.house.typeNamesContract
import io.kotest.core.spec.style.FunSpec

class CoreImportSpec :
    FunSpec({
        include(importContract())
        include(packageCirclesContract())
        include(typeNamesContract())
    })
