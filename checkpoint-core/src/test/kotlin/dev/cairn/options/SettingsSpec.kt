package dev.cairn.options

import dev.cairn.event.ExitCode
import dev.cairn.event.RankFailedException
import dev.cairn.ranks.Launch
import dev.cairn.runSimulation
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.writeNew
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.io.OutputStream
import java.io.PrintStream
import java.nio.file.AccessDeniedException
import java.nio.file.Files
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.time.Instant
import kotlin.io.path.readLines

/** Who sets a setting, who wins, and what is said of what cannot be. */
class SettingsSpec :
    FunSpec({
        test("the program, the file, the environment and the command line win over each other, in this order") {
            // With N sources at work, the N-th setting is said by all of them up to itself.
            val program =
                CheckpointOptions {
                    keepLast = 3
                    keepEvery = 3
                    blockSize = 3
                    chunkSize = 3
                }
            val file = "keep-every = 4\nblock-size = 4\nchunk-size = 4"
            val environment = mapOf("CAIRN_BLOCK_SIZE" to "5", "CAIRN_CHUNK_SIZE" to "5")

            configured(program, file, environment, "--chunk-size", "6").filter { it.name in PROBED } shouldBe
                listOf(
                    ConfiguredValue("block-size", "5", "environment CAIRN_BLOCK_SIZE"),
                    ConfiguredValue("chunk-size", "6", "command line"),
                    ConfiguredValue("keep-last", "3", "program"),
                    ConfiguredValue("keep-every", "4", "file cairn.conf, line 1"),
                    ConfiguredValue("memory", "32MiB", "default"),
                )
        }

        test("every setting can be set in every way") {
            for (setting in Settings.ALL) {
                val text = SAMPLES.getValue(setting.name)
                val inFile = configured(file = "${setting.name}=$text")
                val inEnvironment = configured(environment = mapOf(setting.variable to text))
                val inLine = configured(null, "", emptyMap(), "${setting.option}=$text")
                listOf(inFile, inEnvironment, inLine).map { values ->
                    values.first { it.name == setting.name }
                } shouldBe
                    listOf("file cairn.conf, line 1", "environment ${setting.variable}", "command line").map {
                        ConfiguredValue(setting.name, text, it)
                    }
            }
        }

        test("what is printed is understood again, and means the same") {
            for ((name, texts) in SAME_TEXTS) {
                for ((text, printed) in texts) {
                    configured(file = "$name = $text").first { it.name == name }.value shouldBe printed
                    configured(file = "$name = $printed").first { it.name == name }.value shouldBe printed
                }
            }
        }

        test("another file is named by the environment, or by the command line, which wins") {
            val files = SimulatedDisk().host("node0")
            files.put("cairn.conf", "ranks = 1")
            files.put("a", "ranks = 2")
            files.put("b", "ranks = 3")

            fun ranks(environment: Map<String, String>, vararg words: String) =
                SettingsSources(environment, files)
                    .configure(
                        Configuration.of(Settings.ALL),
                        CommandLine.parse(words.toList(), Settings.ALL),
                    )[Settings.RANKS]

            ranks(emptyMap()) shouldBe 1
            ranks(mapOf("CAIRN_CONFIG" to "a")) shouldBe 2
            ranks(mapOf("CAIRN_CONFIG" to "a"), "--config", "b") shouldBe 3
            shouldThrow<IllegalArgumentException> { ranks(emptyMap(), "--config=c") }.message shouldBe
                "c: there is no such file of settings. Check its name."
        }

        test("a file of settings that cannot be read is refused, and so is the standard one") {
            val directory = tempdir().toPath()
            val pipe = directory.resolve("pipe").also { ProcessBuilder("mkfifo", "$it").start().waitFor() shouldBe 0 }
            val link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("away"))

            fun refusal(file: Path) =
                shouldThrow<IllegalArgumentException> {
                    SettingsSources(mapOf("CAIRN_CONFIG" to "$file"), FileBlockStore())
                        .configure(Configuration.of(Settings.ALL))
                }.message
            refusal(directory) shouldBe "$directory: this file of settings cannot be read: is a directory, not a file."
            refusal(pipe) shouldBe
                "$pipe: this file of settings cannot be read: it is a pipe or a device: a file is needed, " +
                "which can be read at any position."
            refusal(link) shouldBe
                "$link: there is no such file of settings: it is a symbolic link to ${directory.resolve("away")}, " +
                "which does not exist. Check its name."

            val denied =
                object : ForwardingStore(SimulatedDisk().host("node0")) {
                    override fun onOperation(operation: BlockStore.Operation): Unit =
                        throw AccessDeniedException("cairn.conf")
                }
            shouldThrow<IllegalArgumentException> {
                SettingsSources(emptyMap(), denied).configure(Configuration.of(Settings.ALL))
            }.message shouldBe
                "cairn.conf: this file of settings cannot be read: permission denied. Ask its owner for access."
            val dangling =
                object : ForwardingStore(SimulatedDisk().host("node0")) {
                    override fun onOperation(operation: BlockStore.Operation): Unit =
                        throw NoSuchFileException("cairn.conf", "away", "it is a link to away, which is gone")
                }
            shouldThrow<IllegalArgumentException> {
                SettingsSources(emptyMap(), dangling).configure(Configuration.of(Settings.ALL))
            }.message shouldBe
                "cairn.conf: there is no such file of settings: it is a link to away, which is gone. Check its " +
                "name."
        }

        test("a file under the former name is refused, whatever it is, unless another file is named") {
            val files = SimulatedDisk().host("node0")
            files.put("cairn.properties", "keep-last = 4")

            fun keepLast(files: BlockStore, environment: Map<String, String> = emptyMap()) =
                SettingsSources(environment, files).configure(Configuration.of(Settings.ALL))[Settings.KEEP_LAST]

            fun refusal(files: BlockStore) = shouldThrow<IllegalArgumentException> { keepLast(files) }.message
            refusal(files) shouldBe RENAME
            files.put("cairn.conf", "keep-last = 5")
            refusal(files) shouldBe RENAME
            keepLast(files, mapOf("CAIRN_CONFIG" to "cairn.conf")) shouldBe 5

            for (unfit in listOf(
                AccessDeniedException("cairn.properties"),
                NoSuchFileException("cairn.properties", "away", "it is a link to away, which is gone"),
            )) {
                val found =
                    object : ForwardingStore(SimulatedDisk().host("node0")) {
                        override fun onOperation(operation: BlockStore.Operation) {
                            if (operation.path() == Path.of("cairn.properties")) throw unfit
                        }
                    }
                refusal(found) shouldBe RENAME
            }
        }

        test("a name outside the locale is refused with the variable to set") {
            val sentence =
                "d\uFFFDn: this name has bytes that are not UTF-8, the character set of the locale. Set LC_ALL to a " +
                    "locale with the name's character set ('locale -a' lists them), or rename the file."

            fun refusal(configure: () -> Unit) = shouldThrow<IllegalArgumentException> { configure() }.message

            refusal { configured(null, "", emptyMap(), "--dir", "d\uFFFDn") } shouldBe "command line: $sentence"
            refusal { configured(environment = mapOf("CAIRN_DIR" to "d\uFFFDn")) } shouldBe
                "environment CAIRN_DIR: $sentence"
            refusal { configured(null, "", emptyMap(), "--config", "d\uFFFDn") } shouldBe sentence
        }

        for ((file, sentence) in listOf(
            "keep-lst = 3" to
                "$LINE_1: there is no setting 'keep-lst'. Did you mean 'keep-last'?",
            "\n# two\nshoesize = 43" to "file cairn.conf, line 3: there is no setting 'shoesize'.",
            "keep-last = 1" to
                "$LINE_1: keep-last cannot be '1'. It is a whole number of at least 2, or only-newest.",
            "files = function" to
                "$LINE_1: files cannot be 'function'. It is a whole number of at least 1, auto, or per-host.",
            "files = 0" to
                "$LINE_1: files cannot be '0'. It is a whole number of at least 1, auto, or per-host.",
            "memory = 1" to
                "$LINE_1: memory cannot be '1'. It is a number of bytes from 1MiB on, such as 4096, " +
                "64KiB, 32MiB or 2GiB.",
            "block-size = 3GiB" to
                "$LINE_1: block-size cannot be '3GiB'. It is a number of bytes from 1 to 2147483647, such as " +
                "4096, 64KiB, 32MiB or 2GiB, or auto.",
            "overhead = 2" to
                "$LINE_1: overhead cannot be '2'. It is a share above 0% and below 100%, or none.",
            "overhead = 100%" to
                "$LINE_1: overhead cannot be '100%'. It is a share above 0% and below 100%, or none.",
            "every = 0" to "$LINE_1: every cannot be '0'. It is a whole number of at least 1, auto, or never.",
            "fresh = yes" to "$LINE_1: fresh cannot be 'yes'. It is true or false.",
            "durability = on" to "$LINE_1: durability cannot be 'on'. It is power-loss or kill.",
            "limit-seconds = NaN" to
                "$LINE_1: limit-seconds cannot be 'NaN'. It is a number of seconds above 0, " +
                "or auto.",
            "fresh" to
                "$LINE_1: 'fresh' is not a setting. A line is 'key = value', or begins with #.",
            "ranks = 1\nranks = 2" to
                "file cairn.conf, line 2: ranks is set already in file cairn.conf, line 1. Keep one.",
        )) {
            test("a file is refused that says ${file.trim().replace("\n", " ")}") {
                shouldThrow<IllegalArgumentException> { configured(file = file) }.message shouldBe sentence
            }
        }

        test("the environment and the command line are refused in the same words") {
            shouldThrow<IllegalArgumentException> {
                configured(
                    environment = mapOf("CAIRN_RANKS" to "x"),
                )
            }.message shouldBe
                "environment CAIRN_RANKS: ranks cannot be 'x'. It is a whole number of at least 1."
            shouldThrow<IllegalArgumentException> { configured(null, "", emptyMap(), "--ranks", "0") }.message shouldBe
                "command line: ranks cannot be '0'. It is a whole number of at least 1."
            shouldThrow<IllegalArgumentException> { configured(null, "", emptyMap(), "--ranks") }.message shouldBe
                "command line: --ranks needs a value"
            shouldThrow<IllegalArgumentException> { configured(null, "", emptyMap(), "--rank", "3") }.message shouldBe
                "command line: there is no option '--rank'. Did you mean '--ranks'? --help lists the existing ones."
        }

        test("an empty value, an option given twice, and an option for a value are refused") {
            for ((words, sentence) in listOf(
                listOf("--dir=") to "command line: dir cannot be ''. It is a path.",
                listOf("--dir", " ") to "command line: dir cannot be ' '. It is a path.",
                listOf("--events=") to "command line: events cannot be ''. It is a path, or none.",
                listOf("--config=") to "command line: --config needs a value",
                listOf("--ranks", "2", "--ranks=3") to "command line: --ranks is given twice. Keep one.",
                listOf("--fresh", "--fresh") to "command line: --fresh is given twice. Keep one.",
                listOf("--config", "a", "--config", "b") to "command line: --config is given twice. Keep one.",
                listOf("--dir", "--fresh") to
                    "command line: --dir needs a value, and --fresh is another option. If it is meant as the value, " +
                    "say --dir=--fresh.",
            )) {
                shouldThrow<IllegalArgumentException> {
                    configured(null, "", emptyMap(), *words.toTypedArray())
                }.message shouldBe sentence
            }
            shouldThrow<IllegalArgumentException> {
                configured(
                    environment = mapOf("CAIRN_DIR" to ""),
                )
            }.message shouldBe
                "environment CAIRN_DIR: dir cannot be ''. It is a path."
            shouldThrow<IllegalArgumentException> { configured(file = "dir =") }.message shouldBe
                "$LINE_1: dir cannot be ''. It is a path."
        }

        test("the program is refused in the same words") {
            shouldThrow<IllegalArgumentException> { CheckpointOptions { memory = 5 } }.message shouldBe
                "program: memory cannot be '5'. It is a number of bytes from 1MiB on, such as 4096, 64KiB, 32MiB or 2GiB."
        }

        test("a program can assign every setting, but where outputs wait, as a property, and in Java by a function") {
            val builders = listOf(CheckpointOptions.Builder::class.java, SimulationOptions.Builder::class.java)
            val properties = builders.flatMap { it.methods.toList() }.filter { it.name.startsWith("set") }
            val others = setOf("go-on", "hold-at", "hold-heap", "stage", "stage-room")
            properties.distinctBy { it.name }.size shouldBe Settings.ALL.count { it.name !in others }
            for (builder in builders) {
                val setters = builder.methods.filter { it.name.startsWith("set") }
                val functions = builder.methods.filter { it.returnType == builder }.map { it.name }
                functions shouldContainAll setters.map { it.name.propertyName() }
            }
        }

        test("null takes back what a program has assigned, and a setting has its default and that as its source") {
            val said =
                CheckpointOptions {
                    keepEvery = 3
                    endsAt = Instant.EPOCH
                }
            CheckpointOptions(said) {
                keepEvery = null
                endsAt = null
            }.configuration.values() shouldBe CheckpointOptions().configuration.values()
            val simulation =
                SimulationOptions {
                    directory = Path.of("away")
                    every = 5
                }
            SimulationOptions(simulation) {
                directory = null
                every = null
            }.configuration.values() shouldBe SimulationOptions().configuration.values()
        }

        test("options that are changed leave those alone from which they are made") {
            val three = CheckpointOptions { keepLast = 3 }
            CheckpointOptions(three) { keepEvery = 5 } shouldBe
                CheckpointOptions
                    .builder()
                    .keepLast(3)
                    .keepEvery(5)
                    .build()
            three shouldBe CheckpointOptions { keepLast = 3 }
        }

        test("a number of ranks other than the launcher's is refused from every source, and the same is accepted") {
            val sources =
                mapOf<String, (String) -> SimulationOptions>(
                    "program" to { SimulationOptions { rankCount = it.toInt() } },
                    "file cairn.conf, line 1" to { around(file = "ranks = $it") },
                    "environment CAIRN_RANKS" to { around(environment = mapOf("CAIRN_RANKS" to it)) },
                    "command line" to { around("", emptyMap(), "--ranks", it) },
                )
            for ((source, says) in sources) {
                shouldThrow<IllegalArgumentException> { says("8").startedBy(FOUR) }.message shouldBe
                    "$source: ranks cannot be '8', since mpirun has started 4 processes, and each is a rank. " +
                    "Leave it out there, or start 8 processes."
                says("4").startedBy(FOUR).rankCount shouldBe 4
                says("8").startedBy(null).rankCount shouldBe 8
            }
        }

        test("without a setting, the launcher determines the number of ranks") {
            SimulationOptions()
                .startedBy(FOUR)
                .configuration
                .values()
                .first { it.name == "ranks" } shouldBe
                ConfiguredValue("ranks", "4", "mpirun")
        }

        test("a variable that is not known is passed over, and what is for simulations is so in a loop of one's own") {
            val files = SimulatedDisk().host("node0").also { it.put("cairn.conf", "every = 5\nkeep-last = 4") }
            val sources = SettingsSources(mapOf("CAIRN_KEPLAST" to "7", "CAIRN_RANKS" to "2"), files)
            CheckpointOptions().configured(sources) shouldBe
                CheckpointOptions {
                    keepLast = 4
                    every = 5
                }
        }

        test("help that the standard output does not take is a failure") {
            val usual = System.out
            val full =
                object : OutputStream() {
                    override fun write(byte: Int): Unit = throw IOException("No space left on device")
                }
            System.setOut(PrintStream(full, true))
            val failure =
                try {
                    shouldThrow<RankFailedException> { runSimulation("x", arrayOf("--help")) { error("it ran") } }
                } finally {
                    System.setOut(usual)
                }
            failure.message shouldContain "the standard output did not take all of the help"
        }

        test("a program that is asked for help lists its options, and runs nothing") {
            runSimulation("x", arrayOf("--help")) { error("it ran") } shouldBe ExitCode.EXPLAINED
            val help = helpText("x", SimulationOptions { every = 100 }.configuration)
            help shouldContainAll Settings.ALL.filter { it.name != "every" }.map { help.line(it.option) }
            help.line("--every ") shouldBe
                "  --every N|auto                    save after every N-th step; auto: as often"
        }

        test("docs/reference/settings.md has the same table") {
            val rows = Path.of("../docs/reference/settings.md").readLines().filter { it.startsWith("| `") }
            rows shouldBe Settings.ALL.map { it.row() }
        }
    })

private val FOUR = Launch("mpirun", rank = 2, size = 4)

private const val RENAME =
    "cairn.properties: settings are read from cairn.conf, and this file would have no effect. " +
        "Rename it to cairn.conf; if there is a cairn.conf already, move the valid lines into it, and delete " +
        "cairn.properties."

private const val LINE_1 = "file cairn.conf, line 1"

private val PROBED = setOf("keep-last", "keep-every", "block-size", "chunk-size", "memory")

/** A value of each setting that is not its default, as it is printed. */
private val SAMPLES =
    mapOf(
        "dir" to "/x/heat.cairn",
        "ranks" to "7",
        "dedicated" to "total:2",
        "every" to "100",
        "every-seconds" to "2.5",
        "mtbf" to "86400",
        "overhead" to "2%",
        "fresh" to "true",
        "go-on" to "true",
        "hold-at" to "12",
        "hold-heap" to "/x/heat.hprof",
        "progress" to "true",
        "signals" to "left",
        "from" to "12",
        "files" to "per-host",
        "block-size" to "4KiB",
        "chunk-size" to "3MiB",
        "grouping" to "12",
        "concentrate" to "every:3",
        "durability" to "kill",
        "verify-snapshot" to "true",
        "check-restart" to "true",
        "keep-last" to "only-newest",
        "keep-every" to "10",
        "take-over" to "true",
        "memory" to "1GiB",
        "limit-seconds" to "600",
        "lost-outputs" to "begin-anew",
        "events" to "/x/heat.jsonl",
        "keep-events" to "64KiB",
        "wait" to "copied",
        "when-busy" to "skip",
        "snapshot-memory" to "2GiB",
        "local" to "disk",
        "lost-local" to "go-on",
        "local-copies" to "at-most-2",
        "failure-groups" to "rack[0-9]+",
        "local-keep" to "3",
        "local-limit" to "64GiB",
        "on-full" to "shared",
        "drain" to "5",
        "drain-rate" to "100MiB",
        "stage" to "/scratch",
        "stage-room" to "4GiB",
        "ends-at" to "2026-11-24T10:00:00Z",
        "time-limit" to "3600",
    )

private val SAME_TEXTS =
    mapOf(
        "every" to mapOf("7" to "7", "auto" to "auto", "never" to "never"),
        "overhead" to mapOf("2 %" to "2%", "0.5%" to "0.5%", "7.0%" to "7%", "none" to "none"),
        "ends-at" to mapOf("0" to "1970-01-01T00:00:00Z", "auto" to "auto", "none" to "none"),
        "chunk-size" to
            mapOf("2048" to "2KiB", "1025" to "1025", "2048 KiB" to "2MiB", "exact" to "exact", "1TiB" to "1TiB"),
        "every-seconds" to mapOf("60.0" to "60", "0.25" to "0.25", "1e2" to "100", "never" to "never"),
        "files" to mapOf("1" to "1", "auto" to "auto", "per-host" to "per-host"),
        "keep-last" to mapOf("2" to "2", "only-newest" to "only-newest"),
        "grouping" to mapOf("few" to "few", "none" to "none", "where-small" to "where-small", "1" to "1"),
        "dedicated" to mapOf("per-host:1" to "per-host:1", "ranks:3+7" to "ranks:3+7", "none" to "none"),
        "concentrate" to
            mapOf(
                "per-host:1" to "per-host:1",
                "total:4" to "total:4",
                "ranks:0+3" to "ranks:0+3",
                "per-host:1:near" to "per-host:1:near",
                "none" to "none",
            ),
        "fresh" to mapOf("true" to "true", "false" to "false"),
    )

private fun configured(
    program: CheckpointOptions? = null,
    file: String = "",
    environment: Map<String, String> = emptyMap(),
    vararg words: String,
): List<ConfiguredValue> {
    val files = SimulatedDisk().host("node0").also { it.put("cairn.conf", file) }
    val base = Configuration.of(Settings.ALL).with((program ?: CheckpointOptions()).configuration)
    return SettingsSources(environment, files).configure(base, CommandLine.parse(words.toList(), Settings.ALL)).values()
}

/** What is said around a program that says nothing itself. */
private fun around(
    file: String = "",
    environment: Map<String, String> = emptyMap(),
    vararg words: String,
): SimulationOptions {
    val files = SimulatedDisk().host("node0").also { it.put("cairn.conf", file) }
    val line = CommandLine.parse(words.toList(), Settings.ALL)
    return SimulationOptions().configured("x", line, SettingsSources(environment, files))
}

private fun BlockStore.put(name: String, text: String) = writeNew(Path.of(name), text.encodeToByteArray())

/** `keepLast` of `setKeepLast`, and of one whose name the compiler has mangled. */
private fun String.propertyName() = removePrefix("set").substringBefore('-').replaceFirstChar(Char::lowercase)

private fun List<String>.line(beginning: String) = first { it.trim().startsWith(beginning) }

/** The line of the table on the page. */
private fun <T> Setting<T>.row() = "| `$name` | ${kind.allowed} | `${print(default)}` | $meaning |"
