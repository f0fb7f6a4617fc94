package dev.cairn.house.planted.comm

import dev.cairn.house.planted.sion.Multifile

class CommunicatorKnowsFiles(
    val multifile: Multifile,
)
