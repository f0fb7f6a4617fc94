package dev.cairn.item

import dev.cairn.comm.ProgramCode

/** A value that a trial of restarts compares beside the items of a program. No checkpoint holds it. */
internal class Witness(
    val name: String,
    private val value: () -> Any,
) {
    /** Its bytes now, which are those of its text in UTF-8 if it has one. */
    fun read(): ByteArray =
        when (val now = ProgramCode.run("the witness '$name'", value)) {
            is ByteArray -> now.copyOf()

            is CharSequence, is Number, is Boolean, is Char -> "$now".encodeToByteArray()

            else -> throw IllegalArgumentException(
                "the witness '$name' returns a ${now.javaClass.name}: let it return a text, a number or bytes, " +
                    "which can " +
                    "be compared",
            )
        }
}
