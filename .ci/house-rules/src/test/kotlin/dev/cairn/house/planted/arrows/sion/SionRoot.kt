package dev.cairn.house.planted.arrows.sion

import dev.cairn.house.planted.arrows.sion.cli.Command

class RootUsesItsCommand(val command: Command)

class Multifile
