package dev.cairn.item

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.apache.commons.math3.random.MersenneTwister
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicLong
import java.util.random.RandomGenerator

private val DIRECTORY = Path.of("fields.cairn")

private const val INSTEAD =
    "use a java.util.Random or RandomStreams.generator(id), or declare the arrays of its state with their algorithm."

/** Most of its state is in an array that all of its objects share. */
private class SharedArray : RandomGenerator {
    private var count = 0

    override fun nextLong(): Long {
        count++
        return ++WORDS[0]
    }

    private companion object {
        @JvmField
        val WORDS = longArrayOf(1)
    }
}

private class SharedCounter : RandomGenerator {
    private var count = 0

    override fun nextLong(): Long = ++count + ALL.incrementAndGet()

    private companion object {
        @JvmField
        val ALL = AtomicLong()
    }
}

/** What it shares does not change. */
private class SharedConstants : RandomGenerator {
    private var state = 1L

    override fun nextLong(): Long {
        state = state * FACTOR + NAME.length
        return state
    }

    private companion object {
        @JvmField
        val FACTOR: Long = "6364136223846793005".toLong()

        @JvmField
        val NAME: String = "constants".lowercase()
    }
}

@JvmRecord
private data class RecordOfWords(val words: LongArray, val count: Int) : RandomGenerator {
    override fun nextLong(): Long = words[0]++
}

private class MadeLate : RandomGenerator {
    private var words: LongArray? = null

    override fun nextLong(): Long = (words ?: longArrayOf(1).also { words = it })[0]++
}

/** Its function that seeds it throws. */
private class Seedless : RandomGenerator {
    private var state = 1L

    override fun nextLong(): Long = state++

    @Suppress("unused") // Found by its name.
    fun setSeed(seed: Long): Unit = error("no $seed is good enough")
}

private fun item(generator: Any) = generatorItem(ItemName("dice", 1, emptyList()), { generator }, {}, null) { 0 }

private fun refusal(generator: Any): String =
    shouldThrow<InvalidDeclaration> { item(generator) }
        .message!!
        .removePrefix("the generator 'dice' is of ${generator.javaClass.name}, which ")

class GeneratorFieldsSpec :
    FunSpec({
        test("a generator that shares what may be state with others is refused") {
            refusal(SharedArray()) shouldBe "has the static field 'WORDS', which other generators share: $INSTEAD"
            refusal(SharedCounter()) shouldBe "has the static field 'ALL', which other generators share: $INSTEAD"
            item(SharedConstants()).capture(0)
        }

        test("a generator whose class another run names otherwise is refused") {
            val words = longArrayOf(5)
            val lambda = RandomGenerator { words[0]++ }
            val anonymous =
                object : RandomGenerator {
                    private var state = words[0]

                    override fun nextLong() = state++
                }

            class Local : RandomGenerator {
                private var state = 1L

                override fun nextLong() = state++
            }
            for (generator in listOf(lambda, anonymous, Local())) {
                withClue(generator.javaClass) {
                    refusal(generator) shouldBe "has no name of its own, by which a restart knows it: $INSTEAD"
                }
            }
        }

        test("a record is refused, whose fields no restore can set") {
            refusal(RecordOfWords(longArrayOf(1), 0)) shouldBe "is a record, whose fields cannot be set: $INSTEAD"
        }

        test("an object of the language is no generator, whatever is opened") {
            refusal(5) shouldBe "is no generator: $INSTEAD"
        }

        test("an array that is not there yet is refused by the name of its field") {
            val late = item(MadeLate())
            shouldThrow<InvalidDeclaration> { late.capture(0) }.message shouldBe
                "'dice' cannot be stored: the field 'words' of its generator is null. Let the generator make it in " +
                "its constructor. Nothing was saved."
        }

        test("what setSeed throws comes out as it was thrown") {
            val disk = SimulatedDisk()
            for (count in listOf(2, 1)) {
                ranks(count) {
                    val dice = Seedless()
                    checkpoints(DIRECTORY, files = disk.host(host)) {
                        generator("dice", { dice }, {}, reseed = 42)
                    }.use {
                        if (count == 2) {
                            it.save(1)
                        } else {
                            val failure = shouldThrow<CheckpointException> { it.restore() }
                            val message = "${failure.message} ${failure.cause?.message}"
                            message shouldContain "java.lang.IllegalStateException: no "
                        }
                    }
                }
            }
        }

        test("no two generators, and no two changes of the number of ranks, are seeded anew with the same seed") {
            val disk = SimulatedDisk()
            val drawn = mutableListOf<Long>()
            for ((save, count) in listOf(2, 1, 2, 3).withIndex()) {
                val ofRanks =
                    ranks(count) {
                        val (one, other) = List(2) { MersenneTwister(5) }
                        checkpoints(DIRECTORY, files = disk.host(host)) {
                            generator("one", { one }, {}, reseed = 42)
                            generator("other", { other }, {}, reseed = 42)
                        }.use {
                            it.restore()
                            it.save(save + 1L)
                        }
                        listOf(one.nextLong(), other.nextLong())
                    }
                if (save > 0) drawn += ofRanks.flatten()
            }
            drawn.size shouldBe 12
            drawn.toSet().size shouldBe 12
        }
    })
