package dev.cairn.examples.mpi

import dev.cairn.house.Campaign
import dev.cairn.mpi.MpiRun
import io.kotest.core.test.Enabled
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.nio.file.Path
import java.util.concurrent.TimeUnit.MINUTES
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/** Programs whose first argument is the last step. */
internal const val WALK = "dev.cairn.examples.mpi.WalkKt"
internal const val PARTICLES = "dev.cairn.examples.mpi.ParticlesKt"
internal const val HEAT_IN_JAVA = "dev.cairn.examples.SmallHeatInJavaKt"

/** How many processes a program under mpirun has. */
internal val PROCESSES = Campaign.PROCESSES.limit(4)

/** The ways in which a program can be started; the same program, with the same store. */
internal enum class Way(val start: (program: String, arguments: List<String>) -> Process) {
    ALONE({ program, arguments -> MpiRun.startAlone(program, *arguments.toTypedArray()) }),
    COROUTINES({ program, arguments -> MpiRun.startAlone(program, *arguments.toTypedArray(), "--ranks", "3") }),
    MPI({ program, arguments -> MpiRun.start(PROCESSES, program, *arguments.toTypedArray()) }),
    ;

    val isThere: Enabled get() = if (this == MPI) MpiRun.isThere else Enabled.enabled
}

/** Walks up to a step, in a process or several of its own. */
internal fun Way.walk(store: Path, until: Long, vararg options: String, program: String = WALK): Process =
    start(program, listOf("$until", "--dir", "$store", *options))

/** What the program prints, when it has ended with [code]. */
internal fun Process.output(code: Int = 0): String {
    val output = inputReader().readText()
    check(waitFor(1, MINUTES) && exitValue() == code) { "ended with ${exitValue()} instead of $code: $output" }
    return output
}

/** The number of the newest checkpoint, 0 if there is none; a save that was broken off may lie beside it. */
internal fun newestSave(store: Path): Int =
    manifests(store)
        .lastOrNull()
        ?.parent
        ?.name
        ?.toInt() ?: 0

/** Its step. */
internal fun newestStep(store: Path): Long =
    Json
        .parseToJsonElement(manifests(store).last().readText())
        .jsonObject
        .getValue("step")
        .jsonPrimitive.long

private fun manifests(store: Path): List<Path> {
    if (!store.exists()) return emptyList()
    return store
        .listDirectoryEntries("0*")
        .map { it.resolve("manifest.json") }
        .filter { it.exists() }
        .sorted()
}
