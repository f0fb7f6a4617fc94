package dev.cairn.house.planted.circle.state

import dev.cairn.house.planted.circle.save.Saver

class State(val saver: Saver)
