package dev.cairn.house.planted.sion

open class SionException : Exception()
