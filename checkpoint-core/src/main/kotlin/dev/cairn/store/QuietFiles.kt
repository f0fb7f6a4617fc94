package dev.cairn.store

import dev.cairn.sion.store.BlockStore
import java.lang.System.Logger.Level.INFO

/** The files of a program that runs many times within a test: it logs its warnings, and nothing else. */
internal interface QuietFiles : BlockStore

/** Logs what is usual in a run that uses these [files]. */
@Suppress("NOTHING_TO_INLINE") // A log line names the function that logs.
internal inline fun System.Logger.inform(
    files: BlockStore,
    sentence: String,
) {
    if (files !is QuietFiles) log(INFO, sentence)
}
