package dev.cairn.event

/** The program declares its state in a way that contradicts itself, or that its arrays do not fit. */
internal class DeclarationRefusedException(
    message: String,
    cause: Throwable? = null,
) : IllegalArgumentException(message, cause)

/** Refuses a declaration unless it [fits]; the message says why not, and what to do. */
internal inline fun requireDeclared(
    fits: Boolean,
    message: () -> String,
) {
    if (!fits) throw DeclarationRefusedException(message())
}
