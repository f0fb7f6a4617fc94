package dev.cairn.event

import dev.cairn.event.CheckpointException.Reason
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf

/** As [shouldThrow]; the exception must also have this [reason]. */
internal inline fun <reified T : CheckpointException> shouldThrowFor(reason: Reason, block: () -> Any?): T =
    shouldThrow<T>(block).also { it.reason shouldBe reason }

/** As [shouldBeInstanceOf]; the exception must also have this [reason]. */
internal inline fun <reified T : CheckpointException> Any?.shouldBeFor(reason: Reason): T =
    shouldBeInstanceOf<T>().also { it.reason shouldBe reason }
