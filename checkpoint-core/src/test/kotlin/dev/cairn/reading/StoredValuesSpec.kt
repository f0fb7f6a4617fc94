package dev.cairn.reading

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.state.PerRankRule
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.Serializable
import java.nio.file.Path

/** Values that are read into other classes than those that were saved. */
class StoredValuesSpec :
    FunSpec({
        quietly()
        val disk = SimulatedDisk()

        suspend fun <R> read(use: (StoredCheckpoint) -> R): R {
            val files = disk.host("node")
            if (!files.exists(STORE)) {
                ranks(2) {
                    checkpoints(STORE, files = disk.host(host)) {
                        replicated("config", { Config(7, 2.5, Color.RED) }, {})
                        perRank("own", { Config(rank, 0.5, Color.BLUE) }, {}, PerRankRule.Drop())
                    }.use { it.save(1) }
                }
            }
            return StoredCheckpoints(STORE, files).openNewest().use(use)
        }

        test("a property that the class does not have is refused, unless the reader says so") {
            val sentence =
                "save 1 holds the property 'config.b', which the program does not declare. Declare it, name it as a " +
                    "former name of what replaces it, or declare removed(\"config.b\") if it is no longer needed."
            read { checkpoint ->
                val config = checkpoint.value("config")
                config.decode<Config>() shouldBe Config(7, 2.5, Color.RED)
                shouldThrow<CheckpointException.Mismatch> { config.decode<Thin>() }.message shouldBe sentence
                config.decode<Thin> { removed("config.b") } shouldBe Thin(7, Color.RED)
            }
        }

        test("a property with another name takes what the reader says") {
            read { checkpoint ->
                val config = checkpoint.value("config")
                shouldThrow<CheckpointException.Mismatch> { config.decode<Renamed>() }.message shouldBe
                    "the program declares the property 'config.beta', which save 1 does not hold. Give it a default " +
                    "value, or say formerly(\"config.beta\", \"its former name\")."
                config.decode<Renamed> { formerly("config.beta", "b") } shouldBe Renamed(7, 2.5, Color.RED)
            }
        }

        test("values of each rank follow the same rules, and so do codecs as Java has them") {
            val thin = Codecs.of(Thin::class.java)
            read { checkpoint ->
                val own = checkpoint.rankValues("own")
                shouldThrow<CheckpointException.Mismatch> { own.decodeAll<Thin>() }
                shouldThrow<CheckpointException.Mismatch> { own.decode<Thin>(1) }
                shouldThrow<CheckpointException.Mismatch> { own.decode(1, thin) }
                shouldThrow<CheckpointException.Mismatch> { checkpoint.value("config").decode(thin) }
                own.decodeAll<Thin> { removed("own.b") } shouldBe List(2) { Thin(it, Color.BLUE) }
                own.decode<Thin>(1) { removed("own.b") } shouldBe Thin(1, Color.BLUE)
                own.decode(1, thin) { it.removed("own.b") } shouldBe Thin(1, Color.BLUE)
                own.decodeAll(thin) { it.removed("own.b") } shouldBe List(2) { Thin(it, Color.BLUE) }
            }
        }

        test("numbers are widened, and another type is refused") {
            read { checkpoint ->
                checkpoint.value("config").decode<Wide>() shouldBe Wide(7, 2.5, Color.RED)
                shouldThrow<CheckpointException.Mismatch> { checkpoint.value("config").decode<Long>() }
                    .message shouldStartWith "save 1 holds 'config' as Config, but the program declares it as long."
            }
        }

        test("a constant that the class does not have is refused where the value has it") {
            read { checkpoint ->
                checkpoint.rankValues("own").decode<Blue>(0) shouldBe Blue(0, 0.5, OnlyBlue.BLUE)
                shouldThrow<CheckpointException.Mismatch> { checkpoint.value("config").decode<Blue>() }
            }
        }
    })

private val STORE = Path.of("/store")

@Serializable
private data class Config(val a: Int, val b: Double, val color: Color)

private enum class Color { RED, BLUE }

@Serializable
private data class Thin(val a: Int, val color: Color)

@Serializable
private data class Renamed(val a: Int, val beta: Double, val color: Color)

@Serializable
private data class Wide(val a: Long, val b: Double, val color: Color)

@Serializable
private data class Blue(val a: Int, val b: Double, val color: OnlyBlue)

private enum class OnlyBlue { BLUE }
