package dev.cairn.sion.cli

import dev.cairn.house.OUTSIDE
import dev.cairn.house.classArchiveContract
import dev.cairn.house.startScriptContract
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec

@Tags(OUTSIDE)
class StartScriptJarSpec :
    FunSpec({
        include(startScriptContract("sion"))
        include(classArchiveContract("sion"))
    })
