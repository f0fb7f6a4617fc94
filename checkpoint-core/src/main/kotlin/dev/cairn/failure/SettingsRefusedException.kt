package dev.cairn.failure

/** What is said about settings cannot be; the message says where it stands, and what is allowed. */
internal class SettingsRefusedException(
    flaw: IllegalArgumentException,
) : RuntimeException(flaw.message, flaw)
