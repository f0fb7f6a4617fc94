package dev.cairn.examples

import dev.cairn.house.jarContract
import io.kotest.core.spec.style.FunSpec

class ExamplesJarSpec : FunSpec({ include(jarContract("dev.cairn.examples", isForUsers = false)) })
