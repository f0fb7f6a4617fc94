package dev.cairn.testing

import com.sun.jdi.Bootstrap
import com.sun.jdi.VirtualMachine
import java.lang.module.ModuleFinder

/**
 * A virtual machine whose variables can be read and set. It is started with [options], and calls a port of this process, which listens
 * until [close]. It opens no port itself, through which others could control it.
 *
 * @param isStopped whether it waits at its start until it is told to go on
 */
internal class DebuggedMachine(isStopped: Boolean) : AutoCloseable {
    private val connector =
        Bootstrap.virtualMachineManager().listeningConnectors().first { it.name() == "com.sun.jdi.SocketListen" }
    private val arguments = connector.defaultArguments().also { it.getValue("localAddress").setValue("127.0.0.1") }
    private val address = connector.startListening(arguments)
    private val suspend = if (isStopped) "y" else "n"

    val options = listOf("-agentlib:jdwp=transport=dt_socket,server=n,suspend=$suspend,address=$address")

    /** Waits for the machine's call, or for [close]. A machine waits at its start until it is accepted. */
    fun accept(): VirtualMachine = connector.accept(arguments)

    override fun close() = connector.stopListening(arguments)

    companion object {
        /** Whether this Java runtime, which may be one without tools, offers it. */
        val isOffered: Boolean
            get() =
                ModuleLayer.boot().findModule("jdk.jdi").isPresent &&
                    ModuleFinder.ofSystem().find("jdk.jdwp.agent").isPresent
    }
}
