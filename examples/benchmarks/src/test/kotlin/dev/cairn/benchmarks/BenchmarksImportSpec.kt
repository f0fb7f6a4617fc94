package dev.cairn.benchmarks

import dev.cairn.house.importContract
import io.kotest.core.spec.style.FunSpec

class BenchmarksImportSpec : FunSpec({ include(importContract()) })
