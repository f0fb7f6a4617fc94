package dev.cairn.faces

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.ExitCode
import dev.cairn.event.RankFailedException
import dev.cairn.java.BlockingSimulation
import dev.cairn.proof.log.printedBy
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Path
import java.util.function.Consumer

private const val DROP = "dev.cairn.faces.NullState\$Drop"

/** Programs in Java may have null where Kotlin has none: a sentence says in which item. */
class NullStateSpec :
    FunSpec({
        quietly()

        suspend fun failureOf(state: Consumer<StateBuilder>): Throwable {
            var failure: Throwable? = null
            ranks(1) {
                val open =
                    runCatching {
                        checkpoints(
                            Path.of("null.cairn"),
                            files = SimulatedDisk().host(host),
                        ) { state.accept(this) }
                    }
                failure = open.fold({ it.use { runCatching { it.save(1) }.exceptionOrNull() } }, { it })
            }
            return checkNotNull(failure)
        }

        for ((what, state, sentence) in listOf(
            Triple(
                "an array of a column",
                NullState.column(),
                "the column 'id' of the table 'drops' has no array: the function that returns it returned null. Let " +
                    "it return an array, which is empty where there are no rows. Nothing was saved.",
            ),
            Triple(
                "a record",
                NullState.record(),
                "the rows of the table 'drops' should be objects of $DROP, but row 1 of its list is null. " +
                    "Leave out rows that do not exist. Nothing was saved.",
            ),
            Triple(
                "the list of records",
                NullState.noRecords(),
                "the rows of the table 'drops' should be objects of $DROP, but its function returned no list, but " +
                    "null. Let the list be empty where there are none. Nothing was saved.",
            ),
        )) {
            test("$what that is null is refused with its table") {
                val failure = failureOf(state).shouldBeInstanceOf<CheckpointException.InvalidDeclaration>()
                failure.items shouldBe listOf("drops")
                failure.message shouldBe sentence
            }
        }

        for ((codec, state) in listOf(
            "text" to NullState.replicatedText(),
            "long" to NullState.replicatedLong(),
            "cbor" to NullState.perRankValue(),
            "cbor" to NullState.variable(),
            "cbor" to NullState.accumulatorVariable(),
        )) {
            test("a value of the codec $codec that is null is refused with its item") {
                val failure = failureOf(state).shouldBeInstanceOf<CheckpointException.InvalidDeclaration>()
                failure.items shouldBe listOf("t")
                failure.message shouldBe
                    "'t' cannot be stored: its value is null, which its codec '$codec' cannot write. Nothing was saved."
            }
        }

        test("a codec that returns null is refused with its item and its function") {
            for ((format, sentence) in listOf(
                null to
                    "the codec of 't' has no format: getFormat() of dev.cairn.faces.NullState\$EmptyCodec returned " +
                    "null. Let it name the format of its bytes.",
                "empty" to
                    "'t' cannot be stored: encode() of its codec 'empty' returned null. Let it return the bytes of " +
                    "the value. Nothing was saved.",
            )) {
                val failure =
                    failureOf(NullState.codec(format)).shouldBeInstanceOf<CheckpointException.InvalidDeclaration>()
                failure.items shouldBe listOf("t")
                failure.message shouldBe sentence
            }
        }

        test("a block that is null is refused with its field") {
            failureOf(NullState.block()).shouldBeInstanceOf<CheckpointException.InvalidDeclaration>().message shouldBe
                "field 'u': a block has null in place of a box or an array. Give only blocks that have both: a rank " +
                "without cells gives none."
            failureOf(
                NullState.suppliedBlock(),
            ).shouldBeInstanceOf<CheckpointException.InvalidDeclaration>().message shouldBe
                "field 'u': its function should return an array, but returned null. Let it return the one that has " +
                "the cells."
        }

        test("the program's own failure while it names its blocks stays what it is") {
            failureOf(NullState.ownFailure()).causeInRanks().shouldBeInstanceOf<NullPointerException>().message shouldBe
                "of the program"
        }

        test("a null for a name is refused in words of the program") {
            val directory = tempdir().toPath().resolve("null.cairn")
            printedBy {
                BlockingSimulation.run("nameless", arrayOf("--dir", "$directory")) { simulation ->
                    NullName.declare(simulation)
                } shouldBe ExitCode.REFUSED
            } shouldContain
                "nameless: StateProperty.named got null for 'name' in NullName.java:11: pass a value that is not null"
        }
    })

private fun Throwable.causeInRanks() = checkNotNull(shouldThrow<RankFailedException> { throw this }.cause)
