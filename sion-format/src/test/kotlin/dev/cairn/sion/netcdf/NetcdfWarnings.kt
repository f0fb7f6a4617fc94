package dev.cairn.sion.netcdf

import java.util.logging.Handler
import java.util.logging.Level
import java.util.logging.LogRecord
import java.util.logging.Logger

/** What readers of NetCDF files say of cells that a file does not have. */
object NetcdfWarnings {
    private val logger = Logger.getLogger(NetcdfReader::class.java.name)

    /** Nothing is printed any more, in tests of very many files. */
    fun off() {
        logger.level = Level.OFF
    }

    /** The sentences of all readers while [block] runs. */
    fun of(block: () -> Unit): List<String> {
        val sentences = mutableListOf<String>()
        val handler =
            object : Handler() {
                override fun publish(record: LogRecord) {
                    sentences += record.message
                }

                override fun flush() = Unit

                override fun close() = Unit
            }
        val before = logger.level to logger.useParentHandlers
        logger.level = Level.ALL
        logger.useParentHandlers = false
        logger.addHandler(handler)
        try {
            block()
        } finally {
            logger.removeHandler(handler)
            logger.level = before.first
            logger.useParentHandlers = before.second
        }
        return sentences
    }
}
