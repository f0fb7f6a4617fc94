package dev.cairn.testing

/** Gathers the names of what a trial compares, and by the name of a stream a sentence on why it could not be compared. */
internal class TrialScope {
    val items = sortedSetOf<String>()
    val outputs = sortedSetOf<String>()
    val witnesses = sortedSetOf<String>()
    val warnings = linkedMapOf<String, String>()

    fun report(stepCount: Int) =
        RestartTrial.Report(items - warnings.keys, outputs, witnesses, stepCount, warnings.values.toList())
}
