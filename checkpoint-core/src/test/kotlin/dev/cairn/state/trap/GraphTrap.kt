package dev.cairn.state.trap

/** No graph may initialize this. */
internal class GraphTrap {
    private companion object {
        init {
            System.setProperty("cairn.trap", "sprung")
        }
    }
}
