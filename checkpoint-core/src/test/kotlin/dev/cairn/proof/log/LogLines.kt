package dev.cairn.proof.log

import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.logging.Handler
import java.util.logging.LogRecord
import java.util.logging.Logger

/** Runs [program], and returns what Cairn has logged meanwhile, line by line, with its level. */
internal suspend fun loggedBy(program: suspend () -> Unit): List<String> {
    val lines = ConcurrentLinkedQueue<String>()
    val handler =
        object : Handler() {
            override fun publish(record: LogRecord) {
                lines += "${record.level}: ${record.message}"
            }

            override fun flush() = Unit

            override fun close() = Unit
        }
    val logger = Logger.getLogger("dev.cairn")
    logger.addHandler(handler)
    try {
        program()
    } finally {
        logger.removeHandler(handler)
    }
    return lines.toList()
}

/** Runs [program], and returns what was printed to the standard error meanwhile. */
internal suspend fun printedBy(program: suspend () -> Unit): String {
    val usual = System.err
    val printed = ByteArrayOutputStream()
    System.setErr(PrintStream(printed, true))
    try {
        program()
    } finally {
        System.setErr(usual)
    }
    return "$printed"
}
