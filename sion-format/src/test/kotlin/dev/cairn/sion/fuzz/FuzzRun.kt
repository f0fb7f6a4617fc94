package dev.cairn.sion.fuzz

import com.code_intelligence.jazzer.Jazzer
import com.code_intelligence.jazzer.api.MethodHook
import com.github.luben.zstd.Zstd
import dev.cairn.command.TextOutput
import dev.cairn.sion.Multifile
import java.io.File
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.createDirectory
import kotlin.io.path.createTempDirectory
import kotlin.io.path.readLines
import kotlin.io.path.writeText
import kotlin.reflect.KClass

/**
 * A run of the fuzzer in a process of its own, which its instrumentation and its limit of memory need. It begins with
 * the inputs that [start] puts into a directory, and keeps all that it learns and finds in [directory].
 */
class FuzzRun(
    name: String,
    start: (Path) -> Unit,
    private val executions: Long,
    private val seed: Long,
    private val plantedBug: Class<*>? = null,
    private val target: KClass<*> = ReaderTarget::class,
) {
    val directory: Path = createTempDirectory(Path.of("target/fuzz").createDirectories().toAbsolutePath(), "$name-")
    private val known = directory.resolve("known").createDirectory().also(start)
    private val learned = directory.resolve("learned").createDirectory()

    /** Runs it to its end, or to the first finding. */
    fun run(): Report {
        directory.resolve(DICTIONARY).writeText(dictionary())
        return fuzz("log.txt", options(), learned, known)
    }

    /** As few and small inputs as reach what all of the campaign's reach, in a directory of their own. */
    fun minimized(): Path {
        val chosen = directory.resolve("chosen").createDirectory()
        fuzz("choosing.txt", listOf("-merge=1", "-max_len=$LONGEST_INPUT"), chosen, known, learned)
        return chosen
    }

    private fun fuzz(log: String, options: List<String>, vararg corpora: Path): Report {
        val java = listOf(JAVA) + jvmOptions() + listOf("-cp", CLASS_PATH, Jazzer::class.java.name)
        val command = java + "--target_class=${target.java.name}" + INSTRUMENTED + options + corpora.map(Path::toString)
        val output = directory.resolve(log)
        val exitCode =
            ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor()
        return Report(exitCode, output.readLines())
    }

    /** A short run ends before the better compiler pays. */
    private fun jvmOptions() =
        listOf("-Xmx1g", "-XX:+UseSerialGC", "-XX:+EnableDynamicAgentLoading") +
            if (executions < MANY) listOf("-XX:TieredStopAtLevel=1") else emptyList()

    private fun options() =
        listOf(
            "-dict=$DICTIONARY",
            "-runs=$executions",
            "-seed=$seed",
            "-max_len=$LONGEST_INPUT",
            "-timeout=$MOST_SECONDS",
            // One mutation at a time leaves so much in order that many files can still be read.
            "-mutate_depth=1",
        ) + listOfNotNull(plantedBug?.let { "--custom_hooks=${it.name}" })

    companion object {
        private const val READERS =
            "dev.cairn.sion.*:dev.cairn.sion.format.**:dev.cairn.sion.layout.**:dev.cairn.sion.file.**:" +
                "dev.cairn.sion.salvage.**:dev.cairn.sion.cursor.**:dev.cairn.sion.copy.**:dev.cairn.sion.append.**:" +
                "dev.cairn.sion.zstd.**:dev.cairn.sion.failure.**:dev.cairn.sion.cli.*:dev.cairn.sion.log.**:" +
                "dev.cairn.sion.field.**:dev.cairn.sion.netcdf.**:dev.cairn.sion.pnetcdf.**:dev.cairn.command.**"
        private val INSTRUMENTED =
            listOf(
                "--instrumentation_includes=$READERS",
                "--custom_hook_includes=$READERS",
            )
        private const val DICTIONARY = "dictionary.txt"
        private const val LONGEST_INPUT = 2048
        private const val MANY = 1_000_000L

        /** For a loop that neither reads nor prints, so that nothing counts it. A busy machine may stand still for minutes. */
        private const val MOST_SECONDS = 600

        private val JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString()

        /** No more than is needed, since the fuzzer looks through all of it when it starts. */
        private val CLASS_PATH =
            listOf(
                ReaderTarget::class,
                Multifile::class,
                TextOutput::class,
                Zstd::class,
                KotlinVersion::class,
                Jazzer::class,
                MethodHook::class,
            ).map {
                it.java.protectionDomain.codeSource.location.path
            }.distinct()
                .joinToString(File.pathSeparator)

        /** Numbers around which arithmetic goes wrong, in both byte orders, and what names are made of. */
        private fun dictionary(): String {
            val longs = listOf(31, 32, 62, 63).flatMap { listOf((1L shl it) - 1, 1L shl it) } + listOf(-1L, -16L)
            val numbers = longs.flatMap { listOf(bytes(it, Long.SIZE_BYTES), bytes(it, Int.SIZE_BYTES)) }
            val names = listOf("/", "../", "sion").map { it.toByteArray().toList() }
            val tokens = numbers + numbers.map { it.reversed() } + names
            return tokens.distinct().joinToString("") { "\"${it.joinToString("", transform = ::escaped)}\"\n" }
        }

        private fun escaped(byte: Byte) = "\\x%02x".format(byte)

        private fun bytes(number: Long, count: Int) = List(count) { (number shr (8 * it)).toByte() }
    }
}

/** What a campaign printed. */
class Report(private val exitCode: Int, val lines: List<String>) {
    /** What the target says of all executions, by outcome; empty if it never came to its end. */
    val outcomes: Map<String, Long> =
        lines
            .lastOrNull { it.startsWith(ReaderTarget.TALLY_MARK) }
            .orEmpty()
            .removePrefix(ReaderTarget.TALLY_MARK)
            .split(", ")
            .filter { it.isNotBlank() }
            .associate { it.substringBeforeLast(' ') to it.substringAfterLast(' ').toLong() }

    /** What was found, and after how many executions; null if nothing was. */
    val finding: String? =
        lines.firstOrNull { Finding.MARK in it }?.let { Finding.MARK + it.substringAfter(Finding.MARK) }
            ?: if (exitCode == 0) null else lines.takeLast(40).joinToString("\n")
}
