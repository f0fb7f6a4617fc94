package dev.cairn.mpi

import dev.cairn.house.jarContract
import io.kotest.core.spec.style.FunSpec

class MpiJarSpec : FunSpec({ include(jarContract("dev.cairn.mpi", isAutomatic = true)) })
