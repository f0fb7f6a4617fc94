package dev.cairn.testing

import com.sun.jdi.AbsentInformationException
import com.sun.jdi.PrimitiveValue
import com.sun.jdi.StackFrame
import com.sun.jdi.ThreadReference
import dev.cairn.heap.LOCAL
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit.MINUTES
import java.util.concurrent.TimeoutException
import kotlin.concurrent.thread

/**
 * The primitive local variables of a program's methods, which no heap has. The program is started with [options].
 *
 * @param isOfProgram whether a class is the program's
 */
internal class LocalVariables(private val isOfProgram: (String) -> Boolean) : AutoCloseable {
    private val debugged = DebuggedMachine(isStopped = false)
    private val machine = FutureTask(debugged::accept)

    val options get() = debugged.options

    /** The classes that were compiled without the names of variables. */
    val unnamed = sortedSetOf<String>()

    init {
        thread(isDaemon = true, name = "cairn-variables") { machine.run() }
    }

    /** Those of the program that was started with [options] and now does nothing. */
    fun read(): Map<HeldView.Place, String> {
        val machine =
            try {
                machine.get(1, MINUTES)
            } catch (late: TimeoutException) {
                throw IllegalStateException("the program's virtual machine has not called: let java be no script", late)
            }
        machine.suspend()
        return machine.allThreads().flatMap(::valuesOf).toMap().also { machine.resume() }
    }

    /** The outermost call of a method is its first one. */
    private fun valuesOf(thread: ThreadReference): List<Pair<HeldView.Place, String>> {
        val calls = HashMap<String, Int>()
        return thread
            .frames()
            .reversed()
            .filter { isOfProgram(it.location().declaringType().name()) && !it.location().method().isNative }
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
                        "thread ${thread.name()}".takeIf {
                            thread.name() !=
                                MAIN
                        },
                    )
                valuesOf(frame).map { (name, value) ->
                    val place = "$LOCAL $name of $method"
                    HeldView.Place(place, (listOf(place) + where).joinToString()) to value
                }
            }
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
