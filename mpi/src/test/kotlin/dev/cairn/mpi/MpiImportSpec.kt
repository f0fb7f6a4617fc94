package dev.cairn.mpi

import dev.cairn.house.importContract
import io.kotest.core.spec.style.FunSpec

class MpiImportSpec :
    FunSpec({
        include(importContract())
    })
