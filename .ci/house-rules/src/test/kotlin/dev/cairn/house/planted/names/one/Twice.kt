package dev.cairn.house.planted.names.one

class Twice

class Once {
    class Nested
}

fun function() = Unit
