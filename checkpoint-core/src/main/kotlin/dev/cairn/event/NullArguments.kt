package dev.cairn.event

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration

/**
 * This failure, or the refusal of a null that a program in Java has passed to Cairn: Kotlin's check of parameters names a method of the
 * virtual machine, and not the line of the program.
 */
internal fun Throwable.orNullRefused(): Throwable {
    val found = (this as? NullPointerException)?.message?.let(NULL::matchEntire) ?: return this
    val (function, parameter) = found.destructured
    val callee = stackTrace.firstOrNull()?.className
    val line =
        stackTrace
            .firstOrNull { it.className != callee }
            ?.let { " in ${it.fileName}:${it.lineNumber}" }
            .orEmpty()
    return InvalidDeclaration(
        Details("$function got null for '$parameter'$line: pass a value that is not null", cause = this),
    )
}

private val NULL =
    Regex("""Parameter specified as non-null is null: method dev\.cairn\.(?:[a-z]\w*\.)*(\w+\.\w+), parameter (\w+)""")
