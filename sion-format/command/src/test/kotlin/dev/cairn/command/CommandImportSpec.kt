package dev.cairn.command

import dev.cairn.house.importContract
import io.kotest.core.spec.style.FunSpec

class CommandImportSpec : FunSpec({ include(importContract()) })
