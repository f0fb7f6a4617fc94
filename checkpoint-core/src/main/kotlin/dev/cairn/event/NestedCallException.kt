package dev.cairn.event

/** The program calls Cairn from code that Cairn has called. */
internal class NestedCallException(message: String) : IllegalStateException(message)
