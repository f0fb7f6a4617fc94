package dev.cairn.house.planted.arrows.sion.failure

open class SionException : Exception()
