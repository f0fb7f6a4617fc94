package dev.cairn.proof.log

import dev.cairn.Checkpoints
import io.kotest.core.spec.Spec
import java.util.logging.Level
import java.util.logging.Logger

/** Thousands of programs say nothing of their saves while this spec runs, below [level]. */
internal fun Spec.quietly(level: Level = Level.OFF) {
    // Held here, because a logger without a reference is collected, and its level is lost.
    val loggers =
        listOf(
            Checkpoints::class.java.name,
            "dev.cairn.restore.Found",
            "dev.cairn.item.OutputItem",
            "dev.cairn.run.KeptOutputs",
        ).map(Logger::getLogger)
    beforeSpec { loggers.forEach { it.level = level } }
    afterSpec { loggers.forEach { it.level = null } }
}
