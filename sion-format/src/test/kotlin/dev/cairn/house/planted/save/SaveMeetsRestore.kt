package dev.cairn.house.planted.save

import dev.cairn.house.planted.restore.Restorer

class SaveMeetsRestore(
    val restorer: Restorer,
)
