package dev.cairn.benchmarks.baseline

import dev.cairn.benchmarks.payload.Agent
import java.nio.file.Path

/** Agents in a file, with one `write` of a library. */
internal interface GraphFile {
    fun write(file: Path, agents: Array<Agent>)

    fun read(file: Path): Array<Agent>
}
