package dev.cairn.house.planted.circle.store

import dev.cairn.house.planted.circle.state.State

class Store(val first: State?)
