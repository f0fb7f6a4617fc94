package dev.cairn.ranks

/**
 * Opens the transport of a process that a launcher has started beside others. Found by `java.util.ServiceLoader`; asked
 * only where there is a launcher.
 */
public interface TransportProvider {
    /** The name of the transport, for people and for the system property `cairn.transport`. */
    public val name: String

    /** Why this provider cannot open a transport in this process, as a clause; null if nothing is known against it. */
    public val obstacle: String? get() = null

    /**
     * Collective: joins the other processes. The calling thread alone uses the transport and closes it, which is
     * collective, too.
     */
    public fun open(): Transport
}
