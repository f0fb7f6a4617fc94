package dev.cairn.examples

import java.io.ByteArrayOutputStream
import java.io.PrintStream

/** What [action] prints. */
fun printed(action: () -> Unit): String {
    val usual = System.out
    val bytes = ByteArrayOutputStream()
    System.setOut(PrintStream(bytes, true))
    try {
        action()
    } finally {
        System.setOut(usual)
    }
    return bytes.toString()
}
