package dev.cairn.item

import dev.cairn.Checkpoints
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.cli.HeatCheckpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.grid.RandomStreams
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.testing.RestartTrial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.types.shouldBeSameInstanceAs
import org.apache.commons.math3.random.ISAACRandom
import org.apache.commons.math3.random.JDKRandomGenerator
import org.apache.commons.math3.random.MersenneTwister
import org.apache.commons.math3.random.Well19937c
import org.apache.commons.math3.random.Well44497b
import org.apache.commons.math3.random.Well512a
import org.apache.commons.rng.UniformRandomProvider
import org.apache.commons.rng.core.RandomProviderDefaultState
import org.apache.commons.rng.simple.RandomSource
import java.nio.file.Path
import java.security.SecureRandom
import java.util.Random
import java.util.SplittableRandom
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ThreadLocalRandom
import java.util.random.RandomGenerator
import org.apache.commons.math3.random.RandomGenerator as MathGenerator

private val DIRECTORY = Path.of("dice.cairn")
private const val DRAWS = 1_000_000
private const val FEW = 10_000
private const val JDK_GENERATOR = "L64X128MixRandom"

/** An odd number, so that a Gaussian of a pair waits for the next call. */
private const val DRAWN = 777

/** A generator of the program's own: Marsaglia's xorshift of 64 bits, and the sum of the numbers. */
private class Xorshift(seed: Long) {
    var words = longArrayOf(seed, 0)

    fun next(): Long {
        val (last, sum) = words
        var word = last xor (last shl 13)
        word = word xor (word ushr 7)
        word = word xor (word shl 17)
        words = longArrayOf(word, sum + word)
        return word + sum
    }
}

/** Its state is where no field shows it. */
private class Shared {
    @Suppress("unused")
    private val seed = 1

    companion object {
        @JvmStatic
        private var state = 1L

        fun next() = state++
    }
}

/** A million draws, or [count], of [draw] in one number. */
private fun digest(count: Int = DRAWS, draw: () -> Long): Long {
    var all = 0L
    repeat(count) { all = all * 31 + draw() }
    return all
}

/** The seed of the generator [name] of [rank] after another number of ranks has restored save 1. */
private fun reseeded(seed: Long, name: String, rank: Int): Long =
    name
        .fold(RandomStreams(seed)) { streams, char -> RandomStreams(streams.bits(char.code.toLong(), 0, 0)) }
        .bits(rank.toLong(), 1, 0)

private fun Random.draw() = nextInt() + nextLong() * 3 + nextGaussian().toRawBits()

private fun MathGenerator.draw() = nextInt() + nextLong() * 3 + nextGaussian().toRawBits()

private fun RandomGenerator.draw() = nextInt() + nextLong() * 3 + nextGaussian().toRawBits()

private fun UniformRandomProvider.draw() =
    nextInt() + nextLong() * 3 + nextDouble().toRawBits() + (if (nextBoolean()) 1 else 0)

/** Saves a generator, and restores it into a program that has drawn other numbers: the next ones are the same on each rank. */
private suspend fun <G : Any> continues(make: (seed: Long) -> G, count: Int = DRAWS, draw: (G) -> Long) {
    val disk = SimulatedDisk()

    suspend fun run(seed: Long, drawn: Int, act: suspend (Checkpoints) -> Unit) =
        ranks(2) {
            var dice = make(seed + 100L * rank)
            repeat(drawn) { draw(dice) }
            checkpoints(DIRECTORY, files = disk.host(host)) { generator("dice", { dice }, { dice = it }) }
                .use { act(it) }
            digest(count) { draw(dice) }
        }
    val unbroken = run(1, DRAWN) { it.save(1) }
    run(50, 3) { it.restore() } shouldBe unbroken
    (unbroken[0] == unbroken[1]) shouldBe false
}

/** Takes the state of one generator for another in a JVM that has opened their package. */
internal object OpenedGenerator {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val (saved, restored) = List(2) { RandomGenerator.of(JDK_GENERATOR) }
        saved.nextLong()
        val fields = GeneratorFields("dice", saved.javaClass)
        fields.write(restored, fields.read(saved))
        println(if (digest { saved.draw() } == digest { restored.draw() }) "the same numbers" else "others")
    }
}

@Tags(JDK_DEPENDENT)
class GeneratorsSpec :
    FunSpec({
        test("a java.util.Random goes on with the same numbers, the next Gaussian one too") {
            continues({ seed -> Random(seed) }) { it.draw() }
        }

        test("so do the generators of Commons Math, where they are") {
            val classes: List<(Long) -> MathGenerator> =
                listOf(::MersenneTwister, ::Well512a, ::Well19937c, ::Well44497b, ::ISAACRandom)
            for ((number, make) in classes.withIndex()) {
                continues(make, count = if (number == 0) DRAWS else FEW) { it.draw() }
            }
        }

        test("so do all of Commons RNG that are no wrappers") {
            val wrappers = setOf(RandomSource.JDK, RandomSource.TWO_CMRES, RandomSource.TWO_CMRES_SELECT)
            for (source in RandomSource.values().toSet() - wrappers) {
                withClue(source) {
                    continues({ seed -> source.create(seed) }, FEW) { it.draw() }
                }
            }
        }

        test("so do its wrappers, by the state that the library itself saves") {
            val disk = SimulatedDisk()

            suspend fun run(seed: Long, act: suspend (Checkpoints) -> Unit) =
                ranks(1) {
                    val dice = RandomSource.TWO_CMRES.create(seed)
                    checkpoints(DIRECTORY, files = disk.host(host)) {
                        generator(
                            "dice",
                            "TWO_CMRES",
                            { (dice.saveState() as RandomProviderDefaultState).state },
                            { dice.restoreState(RandomProviderDefaultState(it)) },
                        )
                    }.use { act(it) }
                    digest(FEW) { dice.draw() }
                }
            val unbroken = run(1) { it.save(1) }
            run(50) { it.restore() } shouldBe unbroken
        }

        test("so do Kotlin's, and those of Cairn's random streams") {
            continues({ seed -> kotlin.random.Random(seed) }) { it.nextInt() + it.nextLong() * 3 }
            continues({ seed -> RandomStreams(seed).generator(7) }) { it.draw() }
        }

        test("the numbers of a generator are those of its seed and id, and none of the random streams") {
            val streams = RandomStreams(5)
            val generator = streams.generator(3)
            val drawn = List(4) { generator.nextLong() }
            val own = RandomStreams(5L xor -0x61c8864680b583eb)
            drawn shouldBe List(4) { own.bits(3, 0, it.toLong()) }
            RandomStreams(5).generator(3).nextLong() shouldBe drawn.first()
            (drawn.first() == streams.bits(3, 0, 0)) shouldBe false
        }

        test("so does a generator of the program's own, by its arrays, in both languages") {
            val disk = SimulatedDisk()

            suspend fun run(seed: Long, java: Boolean, act: suspend (Checkpoints) -> Unit) =
                ranks(2) {
                    val own = Xorshift(seed + rank)
                    checkpoints(DIRECTORY, files = disk.host(host)) {
                        if (java) {
                            generator("dice", "xorshift64", Codecs.of(LongArray::class.java), own::words, {
                                own.words =
                                    it
                            })
                        } else {
                            generator("dice", "xorshift64", { own.words }, { own.words = it })
                        }
                    }.use { act(it) }
                    digest(1_000) { own.next() }
                }
            val unbroken = run(1, java = false) { it.save(1) }
            run(50, java = true) { it.restore() } shouldBe unbroken
            run(50, java = false) { it.restore() } shouldBe unbroken
        }

        test("Cairn keeps one that is declared with its first value") {
            val disk = SimulatedDisk()
            val drawn =
                List(2) {
                    ranks(1) {
                        lateinit var random: Random
                        checkpoints(DIRECTORY, files = disk.host(host)) {
                            val kept = generator(Random(7)).named("dice")
                            afterRestore { random = kept.value }
                            random = kept.value
                        }.use { if (it.restore() == null) it.save(1) }
                        random.nextLong()
                    }
                }
            drawn.toSet() shouldBe setOf(listOf(Random(7).nextLong()))
        }

        test("generators by name come back into the program's map, and no others are left there") {
            val disk = SimulatedDisk()
            val saved = ConcurrentHashMap<String, Random>()
            for (name in listOf("worker-2", "worker-1", "a")) {
                saved[name] =
                    Random(name.hashCode().toLong()).apply { draw() }
            }
            val restored = ConcurrentHashMap(mapOf("worker-1" to Random(0), "late" to Random(1)))
            ranks(1) {
                checkpoints(DIRECTORY, files = disk.host(host)) { generators("dice", saved) }.use { it.save(1) }
                checkpoints(DIRECTORY, files = disk.host(host)) { generators("dice", restored) }.use { it.restore() }
            }
            restored.keys.sorted() shouldBe listOf("a", "worker-1", "worker-2")
            for ((name, generator) in saved) {
                digest(1_000) { restored.getValue(name).draw() } shouldBe
                    digest(1_000) { generator.draw() }
            }
        }

        suspend fun refusal(disk: SimulatedDisk, rankCount: Int, declare: StateBuilder.() -> Unit): String? {
            var message: String? = null
            ranks(rankCount) {
                checkpoints(DIRECTORY, files = disk.host(host), declare = declare).use {
                    val failure = shouldThrow<CheckpointException> { it.restore() }
                    if (rank == 0) message = failure.cause?.message
                }
            }
            return message
        }

        test("another number of ranks is refused with the ways out, or seeds the generators anew and says so") {
            val disk = SimulatedDisk()
            ranks(3) {
                val random = Random(rank.toLong())
                checkpoints(DIRECTORY, files = disk.host(host)) { generator("dice", { random }, {}) }.use { it.save(1) }
            }
            refusal(disk, 2) { generator("dice", { Random() }, {}) } shouldBe
                "'dice' is a random generator of each rank, was saved by 3 ranks and has no rule for 2. Declare a " +
                "seed, with which it is seeded anew then, or restart on 3 ranks."
            val other = SimulatedDisk()
            ranks(3) {
                checkpoints(DIRECTORY, files = other.host(host)) { generators("dice", mutableMapOf()) }.use {
                    it.save(1)
                }
            }
            refusal(other, 2) { generators("dice", mutableMapOf()) } shouldBe
                "'dice' is a random generator of each rank, was saved by 3 ranks and has no rule for 2. Declare it " +
                "with perRank and PerRankRule.Merge, which begins anew, or restart on 3 ranks."
            val drawn = mutableListOf<Long>()
            val log =
                loggedBy {
                    drawn +=
                        ranks(2) {
                            var random = Random(9)
                            checkpoints(DIRECTORY, files = disk.host(host)) {
                                generator("dice", { random }, { random = it }, reseed = 42)
                            }.use {
                                it.restore()
                                it.save(2)
                            }
                            random.nextLong()
                        }
                }
            drawn shouldBe List(2) { Random(reseeded(42, "dice", it)).nextLong() }
            log shouldContain "INFO: 'dice' is seeded anew with 42, since the number of ranks is another one."
        }

        test("a library's generator is seeded anew by its own function, if it has one") {
            val disk = SimulatedDisk()
            for (count in listOf(1, 2)) {
                ranks(count) {
                    val twister = MersenneTwister(5)
                    val streams = RandomStreams(5).generator(1)
                    checkpoints(DIRECTORY, files = disk.host(host)) {
                        generator("twister", { twister }, {}, reseed = 8)
                        generator("streams", { streams }, {}, reseed = 8)
                    }.use { if (count == 1) it.save(1) else it.restore() }
                    val (ofTwister, ofStreams) = listOf("twister", "streams").map { reseeded(8, it, rank) }
                    twister.nextLong() shouldBe
                        (if (count == 1) MersenneTwister(5) else MersenneTwister(ofTwister)).nextLong()
                    streams.nextLong() shouldBe
                        RandomStreams(if (count == 1) 5 else ofStreams).generator(1).nextLong()
                }
            }
            ranks(1) {
                val xoshiro = RandomSource.XO_SHI_RO_256_PP.create(1L)
                shouldThrow<InvalidDeclaration> {
                    checkpoints(DIRECTORY, files = disk.host(host)) { generator("x", { xoshiro }, {}, reseed = 8) }
                }.message shouldBe
                    "the generator 'x' is of org.apache.commons.rng.core.source64.XoShiRo256PlusPlus, which has no " +
                    "setSeed(long): leave out its seed."
            }
        }

        test("another algorithm is refused by its name") {
            val disk = SimulatedDisk()
            ranks(1) {
                checkpoints(
                    DIRECTORY,
                    files = disk.host(host),
                ) { generator("dice", { Well512a(1) }, {}) }.use { it.save(1) }
            }
            refusal(disk, 1) { generator("dice", { RandomStreams(1).generator(1) }, {}) } shouldBe
                "save 1 holds 'dice' as a generator of org.apache.commons.math3.random.Well512a, but the program " +
                "declares 'dice' as a generator of philox4x32-10. Declare it as it was stored, or give the new one " +
                "another name."
        }

        test("a setter that does not take the new generator is found") {
            val disk = SimulatedDisk()
            ranks(1) {
                val random = Random(1)
                checkpoints(DIRECTORY, files = disk.host(host)) { generator("dice", { random }, {}) }.use { it.save(1) }
            }
            refusal(disk, 1) { Random(2).let { random -> generator("dice", { random }, {}) } }!! shouldEndWith
                "The checkpoint is not damaged: let that code take what was saved, or declare removed(\"dice\") and " +
                "give the item another name."
        }

        test("generators that show no state are refused when they are declared") {
            fun refusal(generator: Any): String {
                var message = ""
                val failure =
                    shouldThrow<InvalidDeclaration> {
                        generatorItem(ItemName("dice", 1, emptyList()), { generator }, {}, null) { 0 }
                    }
                message += failure.message
                return message.removePrefix("the generator 'dice' is of ${generator.javaClass.name}, which ")
            }
            val instead =
                "use a java.util.Random or RandomStreams.generator(id), or declare the arrays of its state with " +
                    "their algorithm."
            refusal(ThreadLocalRandom.current()) shouldBe "has a state for each thread, and shows none: $instead"
            refusal(SecureRandom()) shouldBe "makes numbers that no state repeats: $instead"
            refusal(SplittableRandom(1)) shouldContain instead
            val other = RandomGenerator.of(JDK_GENERATOR)
            refusal(other) shouldBe
                "shows no state: $instead Or start Java with --add-opens " +
                "${other.javaClass.module.name}/${other.javaClass.packageName}=ALL-UNNAMED."
            refusal(kotlin.random.Random.Default) shouldBe "has no fields, so that its state is elsewhere: $instead"
            refusal(JDKRandomGenerator(1)) shouldBe
                "has the field 'seed' of java.util.concurrent.atomic.AtomicLong, so that its state is not known: " +
                instead
            refusal(Shared()) shouldBe "has the static field 'state', which other generators share: $instead"
        }

        test("one of the JDK is taken where its package is open") {
            val java = Path.of(System.getProperty("java.home"), "bin", "java")
            val type = RandomGenerator.of(JDK_GENERATOR).javaClass
            val opened = listOf("--add-opens", "${type.module.name}/${type.packageName}=ALL-UNNAMED")
            val program = listOf("-cp", System.getProperty("java.class.path"), OpenedGenerator::class.java.name)
            val process = ProcessBuilder(listOf("$java") + opened + program).redirectErrorStream(true).start()
            process.inputReader().readText().trim() shouldBe "the same numbers"
        }

        test("check-restart passes, and the program has its objects again, of a map too") {
            ranks(1) {
                val random = Random(1)
                var held = random
                val workers = mutableMapOf("w" to Random(2))
                val worker = workers.getValue("w")
                val twister = MersenneTwister(3)
                val options = CheckpointOptions { checkRestart = true }
                checkpoints(DIRECTORY, options, SimulatedDisk().host(host)) {
                    generator("dice", { held }, { held = it })
                    generators("workers", workers)
                    generator("twister", { twister }, {})
                }.use {
                    for (step in 1L..3L) {
                        random.draw()
                        worker.draw()
                        twister.draw()
                        it.save(step)
                    }
                }
                held shouldBeSameInstanceAs random
                workers.getValue("w") shouldBeSameInstanceAs worker
                digest(100) { random.draw() } shouldBe digest(100, Random(1).apply { repeat(3) { draw() } }::draw)
                digest(100) { twister.draw() } shouldBe
                    digest(100, MersenneTwister(3).apply { repeat(3) { draw() } }::draw)
            }
        }

        test("a trial of restarts sees no difference on as many ranks") {
            RestartTrial(rankCount = 2, breakAt = 5, restartOn = listOf(2)).run {
                var random = Random(rank.toLong())
                var sum by perRank(0.0)
                generator("dice", { random }, { random = it })
                for (step in steps(10)) sum += random.nextGaussian()
            }
        }

        test("the command shows, verifies and plans it") {
            val heat = HeatCheckpoints()
            heat.save(3, 1, DIRECTORY, fileCount = 1) { rank, _ ->
                generator("dice", { Random(rank.toLong()) }, {})
                generator("again", { Random(rank.toLong()) }, {}, reseed = 42)
            }
            val info = heat.cairn("info", "dice.cairn").lines.takeLast(2)
            info.first() shouldEndWith "; rule: refuse"
            info.last() shouldEndWith "; rule: reseed; seed: 42"
            heat.cairn("verify", "dice.cairn").exitCode shouldBe 0
            heat.cairn("explain", "dice.cairn").exitCode shouldBe 0
            heat
                .cairn("plan", "dice.cairn", "--ranks", "2")
                .lines
                .drop(1)
                .take(2) shouldBe
                listOf(
                    "dice: refused: it is private to each of 3 ranks, and the program that saved it had no rule for 2",
                    "again: those of 3 ranks read, and each rank seeds its generator anew",
                )
        }
    })
