package dev.cairn.item

import io.kotest.assertions.throwables.shouldThrow

/** The message of the cause of what [run] throws that has none itself. */
internal inline fun deepestMessage(run: () -> Unit): String? =
    generateSequence<Throwable>(shouldThrow<Exception> { run() }) { it.cause }.last().message
