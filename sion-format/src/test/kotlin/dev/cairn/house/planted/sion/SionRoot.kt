package dev.cairn.house.planted.sion

import dev.cairn.house.planted.sion.cli.Command

class RootUsesItsCommand(
    val command: Command,
)

class Multifile
