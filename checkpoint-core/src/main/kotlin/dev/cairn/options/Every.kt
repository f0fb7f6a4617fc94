package dev.cairn.options

/** After which steps a simulation saves. */
internal sealed interface Every {
    data object Never : Every {
        override fun toString() = "never"
    }

    /** As often as it costs least, by what saves have taken. */
    data object Auto : Every {
        override fun toString() = "auto"
    }

    data class Steps(val count: Long) : Every {
        override fun toString() = "$count"
    }
}
