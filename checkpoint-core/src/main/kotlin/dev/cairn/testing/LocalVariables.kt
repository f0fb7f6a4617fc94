package dev.cairn.testing

import com.sun.jdi.AbsentInformationException
import com.sun.jdi.IntegerValue
import com.sun.jdi.Location
import com.sun.jdi.ObjectReference
import com.sun.jdi.PrimitiveValue
import com.sun.jdi.StackFrame
import com.sun.jdi.ThreadReference
import com.sun.jdi.VirtualMachine
import dev.cairn.heap.HeapClass
import dev.cairn.heap.LOCAL
import dev.cairn.ranks.threadName
import dev.cairn.run.HeldRanks
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit.MINUTES
import java.util.concurrent.TimeoutException
import kotlin.concurrent.thread

/**
 * The primitive local variables of a program's methods, which no heap has. The program is started with [options].
 *
 * @param processCount the processes of the program
 * @param isOfProgram whether a class is the program's
 */
internal class LocalVariables(private val processCount: Int, private val isOfProgram: (String) -> Boolean) :
    AutoCloseable {
    private val debugged = DebuggedMachine(isStopped = false)
    private val machines = FutureTask { List(processCount) { debugged.accept() } }

    val options get() = debugged.options

    /** The classes that were compiled without the names of variables. */
    val unnamed = sortedSetOf<String>()

    init {
        thread(isDaemon = true, name = "cairn-variables") { machines.run() }
    }

    /** Those of the process of this [rank], the lowest one there, if the program was started with [options] and now does nothing. */
    fun read(rank: Int): Map<HeldView.Place, String> {
        val called =
            try {
                machines.get(1, MINUTES)
            } catch (late: TimeoutException) {
                throw IllegalStateException("the program's virtual machine has not called: let java be no script", late)
            }
        val ranks = called.map(::heldRank)
        val machine = called.getOrNull(ranks.indexOf(rank))
        checkNotNull(machine) {
            "none of the program's virtual machines holds rank $rank, but $ranks: please report this"
        }
        machine.suspend()
        val threads = machine.allThreads()
        // No place has the name of this thread: that of a launched rank, or main.
        val usual = threadName(rank).takeIf { name -> processCount > 1 && threads.any { it.name() == name } } ?: MAIN
        return threads.flatMap { valuesOf(it, usual) }.toMap().also { machine.resume() }
    }

    /** The lowest rank of a held process; null for one that takes no part in checkpoints. */
    private fun heldRank(machine: VirtualMachine): Int? {
        val type = machine.classesByName(HeldRanks::class.java.name).firstOrNull() ?: return null
        val held = type.getValue(type.fieldByName("ofProcess")) as? ObjectReference ?: return null
        return (held.getValue(type.fieldByName("rank")) as IntegerValue).value()
    }

    /** The outermost call of a method is its first one. */
    private fun valuesOf(thread: ThreadReference, usual: String): List<Pair<HeldView.Place, String>> {
        val calls = HashMap<String, Int>()
        return thread
            .frames()
            .reversed()
            .filter { hasVariables(it.location()) }
            .flatMap { frame ->
                val type =
                    frame
                        .location()
                        .declaringType()
                        .name()
                        .substringAfterLast('.')
                val method = "$type.${frame.location().method().name()}"
                val call = calls.merge(method, 1, Int::plus)
                val where =
                    listOfNotNull(
                        "call $call".takeIf { call != 1 },
                        "thread ${thread.name()}".takeIf { thread.name() != usual },
                    )
                valuesOf(frame).map { (name, value) ->
                    val place = "$LOCAL $name of $method"
                    HeldView.Place(place, (listOf(place) + where).joinToString()) to value
                }
            }
    }

    /** What a lambda has captured is in the heap; its code is a method of the program. */
    private fun hasVariables(call: Location): Boolean {
        val type = call.declaringType().name()
        return isOfProgram(type) && HeapClass.LAMBDA !in type && !call.method().isNative
    }

    private fun valuesOf(frame: StackFrame): List<Pair<String, String>> =
        try {
            frame.getValues(frame.visibleVariables()).mapNotNull { (variable, value) ->
                if (value is PrimitiveValue && !variable.name().startsWith(MARK)) variable.name() to "$value" else null
            }
        } catch (_: AbsentInformationException) {
            unnamed += frame.location().declaringType().name()
            emptyList()
        }

    override fun close() = debugged.close()
}

/** Of the variables by which Kotlin marks code that it has inlined. */
private const val MARK = "\$i\$"
private const val MAIN = "main"
