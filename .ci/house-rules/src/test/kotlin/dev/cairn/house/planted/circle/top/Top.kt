package dev.cairn.house.planted.circle.top

import dev.cairn.house.planted.circle.ground.Ground

class Top(val ground: Ground)
