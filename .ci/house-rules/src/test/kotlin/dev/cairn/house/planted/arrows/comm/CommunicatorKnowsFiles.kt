package dev.cairn.house.planted.arrows.comm

import dev.cairn.house.planted.arrows.sion.Multifile

class CommunicatorKnowsFiles(val multifile: Multifile)
