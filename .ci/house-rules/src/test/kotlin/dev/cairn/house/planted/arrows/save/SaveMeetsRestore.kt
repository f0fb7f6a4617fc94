package dev.cairn.house.planted.arrows.save

import dev.cairn.house.planted.arrows.restore.Restorer

class SaveMeetsRestore(val restorer: Restorer)
