package dev.cairn.options

import java.nio.file.Path

/** Where what was put into a NetCDF output waits until it is written. */
internal sealed interface OutputStage {
    data object Memory : OutputStage {
        override fun toString() = "memory"
    }

    /** In logs in a directory of each host. */
    data class Logs(val directory: Path) : OutputStage {
        override fun toString() = "$directory"
    }
}
