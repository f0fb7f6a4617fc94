package dev.cairn

import dev.cairn.event.CheckpointException
import dev.cairn.event.ExitCode
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.PerRankRule
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.nio.file.Path

/** Values of classes that are not those of the program that saved. */
@Tags(JDK_DEPENDENT)
class ValueChangesSpec :
    FunSpec({
        quietly()

        test("what has not changed comes back, whatever its class is called") {
            restored<Config, SameConfig>(Config(7, 2.5, "x")) shouldBe SameConfig("x", 7, 2.5)
        }

        test("a property that is gone is refused, unless the program says so") {
            refusal<Config, WithoutB>(Config(1, 2.0, "x")) shouldBe
                "save 1 holds the property 'config.b', which the program does not declare. Declare it, name it as a " +
                "former name of what replaces it, or declare removed(\"config.b\") if it is no longer needed."
            restored<Config, WithoutB>(Config(1, 2.0, "x")) { removed("config.b") } shouldBe WithoutB(1, "x")
        }

        test("a new property needs a default") {
            refusal<WithoutB, Config>(WithoutB(1, "x")) shouldBe
                "the program declares the property 'config.b', which save 1 does not hold. Give it a default value, " +
                "or say formerly(\"config.b\", \"its former name\")."
            restored<WithoutB, WithDefault>(WithoutB(1, "x")) shouldBe WithDefault(1, 0.5, "x")
        }

        test("a property with a new name takes what its former name holds") {
            refusal<Config, Renamed>(Config(1, 2.0, "x")) shouldContain "declares the property 'config.beta', which"
            restored<Config, Renamed>(Config(1, 2.0, "x")) { formerly("config.beta", "bravo", "b") } shouldBe
                Renamed(1, 2.0, "x")
        }

        test("numbers are widened, alone, in arrays and in lists") {
            val narrow = Narrow(-5, 0.1f, floatArrayOf(0.1f, Float.NaN), intArrayOf(-1, 7), listOf(3), mapOf(2 to 'x'))
            val wide = restored<Narrow, Wide>(narrow)
            wide.n shouldBe -5L
            wide.x shouldBe 0.1f.toDouble()
            wide.xs.map { it.toString() } shouldBe listOf("${0.1f.toDouble()}", "NaN")
            wide.ns.toList() shouldBe listOf(-1L, 7L)
            wide.list shouldBe listOf(3L)
            wide.map shouldBe mapOf(2L to 'x'.code)
            refusal<Wide, Narrow>(wide) shouldBe
                "save 1 holds 'config.n' as long, but the program declares it as int. Declare it as it was stored, " +
                "or give the new one another name."
        }

        test("another type is refused in a sentence, and ends a simulation with 64") {
            refusal<Config, OtherType>(Config(1, 2.0, "x")) shouldBe
                "save 1 holds 'config.b' as double, but the program declares it as [double]. Declare it as it was " +
                "stored, or give the new one another name."
            refusal<Config, List<Int>>(Config(1, 2.0, "x")) shouldContain "holds 'config' as Config, but"
            val disk = SimulatedDisk()

            suspend fun run(program: suspend Simulation.() -> Unit) =
                runSimulation("types", arrayOf("--dir", "/types.cairn"), disk.host("node"), body = program)
            run {
                val n by replicated("text")
                for (step in steps(until = 2)) check(n == "text")
            } shouldBe ExitCode.FINISHED
            run {
                val n by replicated<Int>(5)
                for (step in steps(until = 4)) check(n == 5)
            } shouldBe ExitCode.REFUSED
        }

        test("null may come in, and not go out") {
            restored<Config, MaybeNull>(Config(1, 2.0, "x")) shouldBe MaybeNull(1, 2.0, "x")
            refusal<MaybeNull, Config>(MaybeNull(1, null, "x")) shouldContain "holds 'config.b' as double?, but"
        }

        test("properties are compared at any depth, and a class in several places once") {
            val tree = Tree(1, 2, listOf(Tree(3, 4, emptyList())), mapOf("k" to Tree(5, 6, emptyList())))
            refusal<Tree, ThinTree>(tree) shouldContain "the property 'config.weight', which"
            restored<Tree, ThinTree>(tree) { removed("config.weight") } shouldBe
                ThinTree(1, listOf(ThinTree(3, emptyList())), mapOf("k" to ThinTree(5, emptyList())))
            refusal<Holder<Config>, Holder<WithoutB>>(Holder(listOf(Config(1, 2.0, "x")))) shouldContain
                "'config.all.b'"
        }

        test("constants may be added and reordered, and one that is gone is refused where a value has it") {
            restored<Paint, NewPaint>(Paint(Color.BLUE)) shouldBe NewPaint(NewColor.BLUE)
            refusal<Paint, NewPaint>(Paint(Color.RED)) shouldBe
                "'config' in the checkpoint is not a value of the program's type: its property 'color' is RED, " +
                "which the program does not have: it has GREEN, BLUE, CRIMSON. Let the program read it as it was " +
                "stored, or declare removed(\"config\") and give the new one another name."
            restored<Paint, NewPaint>(Paint(Color.RED)) { formerly("config.color.CRIMSON", "RED") } shouldBe
                NewPaint(NewColor.CRIMSON)
        }

        test("classes of which a value may have one are compared like constants, and so are their properties") {
            restored<Hull, NewHull>(Hull(Shape.Square(3))) shouldBe NewHull(NewShape.Square(3))
            refusal<Hull, NewHull>(Hull(Shape.Round(0.5))) shouldContain
                "its property 'shape' is round, which the program"
            restored<Hull, NewHull>(Hull(Shape.Round(0.5))) { formerly("config.shape.disc", "round") } shouldBe
                NewHull(NewShape.Disc(0.5))
            refusal<NewHull, Hull>(NewHull(NewShape.Square(3))) { removed("config.shape.disc") } shouldContain
                "the property 'config.shape.square.colour', which"
        }

        test("a set may become a list, and a list no set, which would lose what is there twice") {
            restored<Set<Int>, List<Int>>(setOf(3, 1)) shouldBe listOf(3, 1)
            refusal<List<Int>, Set<Int>>(listOf(1, 1)) shouldContain "as [int], but the program declares it as {int}"
        }

        test("wrappings are not stored, and unsigned numbers are numbers of their own") {
            restored<Config, Wrapped>(Config(1, 2.0, "x")) shouldBe Wrapped(Id(1), 2.0, "x")
            refusal<UInt, Long>(7u) shouldContain "as uint, but the program declares it as long"
            restored<UInt, UInt>(UInt.MAX_VALUE) shouldBe UInt.MAX_VALUE
        }

        test("values of each rank and partial sums follow the same rules") {
            val disk = SimulatedDisk()

            suspend fun Communicator.open(declare: StateBuilder.() -> Unit) =
                checkpoints(STORE, files = disk.host(host), declare = declare)
            ranks(3) {
                open {
                    perRank("own", { Config(rank, 0.5, "x") }, {})
                    accumulator("sum", { rank }, {}, 0, Int::plus)
                }.use { it.save(1) }
            }
            ranks(2) {
                var own = WithoutB(0, "")
                var sum = 0L
                open {
                    perRank(
                        "own",
                        { own },
                        { own = it },
                        PerRankRule.Merge { all ->
                            WithoutB(all.sumOf { it.a }, "m")
                        },
                    )
                    accumulator("sum", { sum }, { sum = it }, 0L, Long::plus)
                    removed("own.b")
                }.use { it.restore() }.shouldNotBeNull()
                own to sum
            }.map { it.first.a to it.second }.let { all -> all.sumOf { it.first } to all.sumOf { it.second } } shouldBe
                (3 to 3L)
        }

        test("what a class refuses is said in a sentence, too") {
            refusal<Int, Positive>(-1) shouldBe
                "'config' in the checkpoint is not a value of the program's type: -1 is not positive. Let the " +
                "program read it as it was stored, or declare removed(\"config\") and give the new one another name."
        }
    })

private val STORE = Path.of("store")

/** What comes back as [B] of a value that was saved as [A]. */
private suspend inline fun <reified A, reified B> restored(
    value: A,
    noinline changes: StateBuilder.() -> Unit = {},
): B {
    val disk = SimulatedDisk()
    var found: B? = null
    ranks(2) { checkpoints(STORE, files = disk.host(host)) { replicated("config", { value }, {}) }.use { it.save(1) } }
    try {
        ranks(1) {
            checkpoints(STORE, files = disk.host(host)) {
                replicated<B>("config", { error("nothing is saved") }, { found = it })
                changes()
            }.use { it.restore() }
        }
    } catch (refused: CheckpointException) {
        throw AssertionError(refused.rootMessage(), refused)
    }
    return found.shouldNotBeNull()
}

private suspend inline fun <reified A, reified B> refusal(
    value: A,
    noinline changes: StateBuilder.() -> Unit = {},
): String? {
    val failure = shouldThrow<AssertionError> { restored<A, B>(value, changes) }
    generateSequence<Throwable>(failure) { it.cause }
        .last { it is CheckpointException }
        .shouldBeInstanceOf<CheckpointException>()
    return failure.message
}

private fun Throwable.rootMessage(): String? =
    generateSequence(this) { it.cause }.first { it is CheckpointException || it.cause == null }.message

@Serializable
private data class Config(val a: Int, val b: Double, val c: String)

@Serializable
private data class SameConfig(val c: String, val a: Int, val b: Double)

@Serializable
private data class WithoutB(val a: Int, val c: String)

@Serializable
private data class WithDefault(val a: Int, val b: Double = 0.5, val c: String)

@Serializable
private data class Renamed(val a: Int, val beta: Double, val c: String)

@Serializable
private data class OtherType(val a: Int, val b: List<Double>, val c: String)

@Serializable
private data class MaybeNull(val a: Int, val b: Double?, val c: String)

@Serializable
private data class Wrapped(val a: Id, val b: Double, val c: String)

@JvmInline
@Serializable
private value class Id(val number: Int)

@JvmInline
@Serializable
private value class Positive(val number: Int) {
    init {
        require(number > 0) { "$number is not positive." }
    }
}

@Serializable
private class Narrow(
    val n: Int,
    val x: Float,
    val xs: FloatArray,
    val ns: IntArray,
    val list: List<Short>,
    val map: Map<Int, Char>,
)

@Serializable
private class Wide(
    val n: Long,
    val x: Double,
    val xs: DoubleArray,
    val ns: LongArray,
    val list: List<Long>,
    val map: Map<Long, Int>,
)

@Serializable
private data class Tree(
    val value: Int,
    val weight: Int,
    val children: List<Tree>,
    val named: Map<String, Tree> = emptyMap(),
)

@Serializable
private data class ThinTree(
    val value: Int,
    val children: List<ThinTree>,
    val named: Map<String, ThinTree> = emptyMap(),
)

@Serializable
private data class Holder<T>(val all: List<T>)

@Serializable
private data class Paint(val color: Color)

private enum class Color { RED, GREEN, BLUE }

@Serializable
private data class NewPaint(val color: NewColor)

private enum class NewColor { GREEN, BLUE, CRIMSON }

@Serializable
private data class Hull(val shape: Shape)

@Serializable
private sealed interface Shape {
    @Serializable
    @SerialName("square")
    data class Square(val side: Int) : Shape

    @Serializable
    @SerialName("round")
    data class Round(val radius: Double) : Shape
}

@Serializable
private data class NewHull(val shape: NewShape)

@Serializable
private sealed interface NewShape {
    @Serializable
    @SerialName("square")
    data class Square(val side: Int, val colour: String = "") : NewShape

    @Serializable
    @SerialName("disc")
    data class Disc(val radius: Double) : NewShape
}
