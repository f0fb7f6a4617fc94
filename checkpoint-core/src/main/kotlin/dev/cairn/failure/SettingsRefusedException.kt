package dev.cairn.failure

/** A setting is invalid; the message names its source, and the allowed values. */
internal class SettingsRefusedException(
    flaw: IllegalArgumentException,
) : RuntimeException(flaw.message, flaw)
