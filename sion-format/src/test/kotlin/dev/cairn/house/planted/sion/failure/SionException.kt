package dev.cairn.house.planted.sion.failure

open class SionException : Exception()
