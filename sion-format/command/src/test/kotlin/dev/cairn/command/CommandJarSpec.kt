package dev.cairn.command

import dev.cairn.house.jarContract
import io.kotest.core.spec.style.FunSpec

class CommandJarSpec : FunSpec({ include(jarContract("dev.cairn.command", isForUsers = false)) })
