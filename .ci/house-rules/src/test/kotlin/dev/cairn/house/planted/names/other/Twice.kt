package dev.cairn.house.planted.names.other

class Twice

class Other {
    class Nested
}

fun function() = Unit
