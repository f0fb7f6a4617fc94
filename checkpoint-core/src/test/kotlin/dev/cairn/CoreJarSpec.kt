package dev.cairn

import dev.cairn.house.jarContract
import io.kotest.core.spec.style.FunSpec

class CoreJarSpec : FunSpec({ include(jarContract("dev.cairn.core")) })
