package dev.cairn.sion.cli

import dev.cairn.house.startScriptContract
import io.kotest.core.spec.style.FunSpec

class StartScriptJarSpec : FunSpec({ include(startScriptContract("sion")) })
