package dev.cairn.state

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.ExitCode
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SettingsSources
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allGatherText
import dev.cairn.ranks.broadcastText
import dev.cairn.ranks.gatherText
import dev.cairn.ranks.ranks
import dev.cairn.ranks.textOf
import dev.cairn.runSimulation
import dev.cairn.simulate
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.stateBuilder
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeBytes

private const val HALF = "a\uD800b"
private const val REFUSED = "has an unpaired surrogate, which is not a character"

/** Half of a pair of surrogates has no bytes in UTF-8. It is refused where it would be stored, and never made a question mark. */
class HalfSurrogatesSpec :
    FunSpec({
        val parent = tempdir().toPath()

        suspend fun Communicator.open(files: SimulatedDisk, declare: StateBuilder.() -> Unit) =
            checkpoints(Path.of("/texts.cairn"), files = files.host(host), declare = declare)

        test("a value of Codecs.TEXT is refused in the words of every other codec, and nothing is saved") {
            val disk = SimulatedDisk()
            for (codec in listOf(Codecs.TEXT, Codecs.of(String::class.java))) {
                ranks(2) {
                    open(disk) { replicated("t", codec, { HALF }, {}) }.use {
                        shouldThrow<CheckpointException.InvalidDeclaration> { it.save(1) }.message shouldBe
                            "'t' cannot be stored: a text $REFUSED. Nothing was saved."
                        it.restore() shouldBe null
                    }
                }
            }
        }

        test("whole pairs come back as they were") {
            var text = "a\uD83D\uDE80b"
            ranks(1) {
                open(SimulatedDisk()) { replicated("t", Codecs.TEXT, { text }, { text = it }) }.use {
                    it.save(1)
                    text = ""
                    it.restore()
                }
            }
            text shouldBe "a\uD83D\uDE80b"
        }

        test("bytes that are no UTF-8 are not read as a text") {
            val disk = SimulatedDisk()
            val latin =
                object : Codec<String> by Codecs.TEXT {
                    override fun encode(value: String) = value.toByteArray(Charsets.ISO_8859_1)
                }
            ranks(1) {
                open(disk) { replicated("t", latin, { "\u00E4" }, {}) }.use { it.save(1) }
                open(disk) { replicated("t", Codecs.TEXT, { "" }, {}) }.use {
                    shouldThrow<CheckpointException.Mismatch> { it.restore() }.message shouldContain
                        "a text is not UTF-8"
                }
            }
        }

        mapOf<String, StateBuilder.() -> Unit>(
            "the name '$HALF'" to { replicated(HALF, Codecs.LONG, { 1L }, {}) },
            "a name within 'dust'" to { table("dust") { column(HALF, { LongArray(1) }, {}) } },
            "a name within 'config'" to { replicated("config", { BadlyNamed(1) }, {}) },
        ).forEach { (what, declare) ->
            test("$what is refused when it is declared".replace(HALF, "half")) {
                ranks(1) {
                    shouldThrow<IllegalArgumentException> {
                        stateBuilder().declare()
                    }.message shouldBe
                        "$what $REFUSED"
                }
            }
        }

        test("the phase of a save, and that of a loop, is refused") {
            ranks(1) {
                open(SimulatedDisk()) { }.use { checkpoints ->
                    shouldThrow<IllegalArgumentException> { checkpoints.save(1, HALF) }.message shouldBe
                        "the phase '$HALF' $REFUSED"
                }
                simulate("texts", files = SimulatedDisk().host(host)) {
                    shouldThrow<IllegalArgumentException> { steps(until = 2, phase = HALF) }.message shouldBe
                        "the phase '$HALF' $REFUSED"
                }
            }
        }

        test("a line of an output is refused, and the lines around it are in the file") {
            val directory = parent.resolve("texts.cairn")
            val file = parent.resolve("log.txt")
            runSimulation("texts", arrayOf("--dir", "$directory", "--ranks", "2")) {
                val log by output(file)
                for (step in steps(until = 2)) {
                    log.line("step $step")
                    shouldThrow<IllegalArgumentException> { log.line(HALF) }.message shouldBe
                        "$file: a line of the output $REFUSED"
                }
            } shouldBe ExitCode.FINISHED
            file.readText() shouldBe "step 0\nstep 1\n"
        }

        test("a text that ranks tell each other is refused, and so are bytes that are no text") {
            ranks(2) {
                val calls: List<suspend () -> Any> =
                    listOf({ allGatherText(HALF) }, { gatherText(0, HALF) }, { broadcastText(rank) { HALF } })
                for (call in calls) {
                    shouldThrow<IllegalArgumentException> { call() }.message shouldBe "a text $REFUSED"
                }
            }
            shouldThrow<IllegalArgumentException> { textOf(ByteBuffer.wrap(byteArrayOf(-1))) }.message shouldBe
                "a text is not UTF-8"
        }

        test("a file of settings in another encoding is refused, and no path in it becomes another one") {
            val file = parent.resolve("cairn.conf")
            file.writeBytes("dir = gr\u00F6\u00DFe.cairn".toByteArray(Charsets.ISO_8859_1))
            shouldThrow<InvalidDeclaration> {
                CheckpointOptions().configured(SettingsSources(mapOf("CAIRN_CONFIG" to "$file"), FileBlockStore()))
            }.message shouldBe "$file: the file of settings is not UTF-8"
        }
    })

@Serializable
private data class BadlyNamed(
    @SerialName(HALF) val steps: Int,
)
