package dev.cairn.item

import dev.cairn.Checkpoints
import dev.cairn.SoloCheckpoints
import dev.cairn.SoloState
import dev.cairn.StateBuilder
import dev.cairn.checkpoint.checkpointStore
import dev.cairn.checkpoints
import dev.cairn.cli.HeatCheckpoints
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codec
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.testing.RestartDiffers
import dev.cairn.testing.RestartTrial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.nio.ByteBuffer

private class Berth(val number: Int, val depth: Double)

private class Berths(berths: List<Berth>) {
    val reserved = LinkedHashMap(berths.associateWith { it.number })
}

private class Quay(val berths: List<Berth>) {
    var ships = 3
}

private class Harbour(val home: Berth) {
    var ships = 3
}

/** A restart lacks its speed. */
private class Walker {
    @Transient
    var speed = 1
    var place = 0
}

private class Walk {
    val walker = Walker()

    fun advance() {
        walker.place += walker.speed
    }
}

@JvmRecord
private data class Roots(val first: Colony?, val second: Colony?)

private class Report(val lines: Appendable)

/** Text for a list of agents. */
private object Names : Codec<List<Agent>> {
    override val format = "names"

    override fun encode(value: List<Agent>) = value.joinToString { it.name }.encodeToByteArray()

    override fun decode(bytes: ByteBuffer) = emptyList<Agent>()
}

private suspend fun Communicator.open(
    files: BlockStore,
    options: CheckpointOptions = CheckpointOptions(),
    declare: StateBuilder.() -> Unit,
): Checkpoints = checkpoints(GRAPHS, options, files, declare = declare)

private fun StateBuilder.model(program: Program) = graph("model", { program.model }, { program.model = it })

/** Why the first save of what [declare] declares is refused. */
private suspend fun refusalOf(declare: StateBuilder.() -> Unit): String {
    val files = SimulatedDisk().host("node0")
    var message = ""
    ranks(1) {
        open(files, declare = declare).use { message = refusing<InvalidDeclaration> { it.save(1) } }
    }
    checkpointStore(files, GRAPHS).survey().saves.shouldBeEmpty()
    return message
}

/** What becomes of a graph among the items of a program. */
class GraphItemsSpec :
    FunSpec({
        test("each rank gets its graph back, with the same links") {
            val files = SimulatedDisk().host("node0")
            ranks(3) {
                val program = Program("anna $rank")
                open(files) { model(program) }.use { it.save(1) }
            }
            ranks(3) {
                val program = Program().apply { model = Colony() }
                open(files) { model(program) }.use { it.restore()?.step shouldBe 1 }
                val agents = program.model!!.agents
                agents.map { it.name } shouldBe listOf("anna $rank", "ben")
                agents.forEach { agent -> agent.friends.zip(agents).forEach { (a, b) -> a shouldBeSameInstanceAs b } }
            }
        }

        test("a graph that has another name now comes back") {
            val files = SimulatedDisk().host("node0")
            ranks(1) {
                open(files) { model(Program()) }.use { it.save(1) }
                val program = Program("cora")
                open(files) {
                    graph("colony", program::model, { program.model = it }, formerly = listOf("model")) {}
                }.use { it.restore() }
                program.model!!.agents.map { it.name } shouldBe listOf("anna", "ben")
            }
        }

        test("another number of ranks is refused, or merges the graphs") {
            val files = SimulatedDisk().host("node0")
            ranks(3) { open(files) { model(Program("anna $rank")) }.use { it.save(1) } }
            ranks(1) {
                val program = Program()
                refusing<Mismatch> { open(files) { model(program) }.use { it.restore() } } shouldContain
                    "'model' is a graph of each rank, was saved by 3 ranks and has no rule for 1. Declare it with " +
                    "PerRankRule.Merge or PerRankRule.Drop"
                val rule =
                    PerRankRule.Merge<Colony?> { all -> Colony().apply { all.forEach { agents += it!!.agents } } }
                open(files) { graph("model", { program.model }, { program.model = it }, rule) {} }.use { it.restore() }
                program.model!!.agents.map { it.name } shouldBe
                    listOf("anna 0", "ben", "anna 1", "ben", "anna 2", "ben")
            }
        }

        test("an object outside stays the program's own, and one that is not declared is refused") {
            val files = SimulatedDisk().host("node0")
            val program = Program().apply { model!!.listeners += Report(StringBuilder("of the first run")) }
            val report = program.model!!.listeners.single()
            ranks(1) {
                open(files) { graph("model", program::model, { program.model = it }) { outside("report", report) } }
                    .use { it.save(1) }
                val own = Report(System.out)
                open(files) { graph("model", program::model, { program.model = it }) { outside("report", own) } }
                    .use { it.restore() }
                program.model!!.listeners.single() shouldBeSameInstanceAs own
                refusing<Mismatch> { open(files) { model(program) }.use { it.restore() } } shouldContain
                    "the graph 'model' leads to 'report' outside of it, which the program does not have: name it by outside"
                program.model!!.listeners.single() shouldBeSameInstanceAs own
            }
        }

        test("what would not come back is refused with its path, and is saved when it is gone") {
            val files = SimulatedDisk().host("node0")
            val program = Program().apply { model!!.listeners.addAll(listOf("a", "b", Thread())) }
            ranks(1) {
                open(files) { model(program) }.use {
                    refusing<InvalidDeclaration> { it.save(1) } shouldContain
                        "'model.listeners[2]' is a thread (java.lang.Thread), which ends with the run: let the field " +
                        "be transient"
                    program.model!!.listeners.removeLast()
                    it.save(1)
                }
            }
            checkpointStore(files, GRAPHS).survey().saves shouldHaveSize 1
        }

        val others =
            mapOf<String, Pair<String, StateBuilder.(Program) -> Unit>>(
                "another graph" to
                    (
                        "'model.agents[0]' is also 'friend.friends[0]'" to
                            { graph("friend", { it.model!!.agents[1] }, {}) }
                    ),
                "a value" to
                    (
                        "'model.agents' is also 'names'" to
                            { replicated("names", Names, { it.model!!.agents }, {}) }
                    ),
                "an array" to
                    (
                        "'model.grid' is also 'u'" to
                            { program ->
                                field("u", Shape.of(4), ElementType.DOUBLE) {
                                    block(Shape.of(4).box()) { program.model!!.grid }
                                }
                            }
                    ),
                "a table" to
                    (
                        "'model.grid' is also 'rows'" to
                            { program -> table("rows") { column("x", { program.model!!.grid }, {}) } }
                    ),
                "a generator" to
                    (
                        "'model.agents[0].chance' is also 'chance'" to
                            { generator("chance", { it.model!!.agents[0].chance }, { _ -> }) }
                    ),
            )
        for ((what, other) in others) {
            val (words, declare) = other
            test("an object that $what has, too, is refused with both paths") {
                val program = Program()
                refusalOf {
                    declare(program)
                    model(program)
                } shouldContain "$words, and a restart would make two of it"
            }
        }

        test("an object whose fields are declared, too, is refused with both paths") {
            val walk = Walk()
            SoloCheckpoints
                .open(tempdir().toPath().resolve("walk.cairn")) {
                    fields("walker", walk.walker)
                    graph("walk", { walk }, {})
                }.use {
                    refusing<InvalidDeclaration> { it.save(1) } shouldContain "'walk.walker' is also 'walker'"
                }
        }

        test("a row that never changes is one object, too, also one that is kept outside of the graph") {
            val plan = Berths(listOf(Berth(1, 2.5), Berth(2, 3.5)))
            val berths = plan.reserved.keys.toList()

            suspend fun refusal(declare: SoloState.() -> Unit) =
                SoloCheckpoints
                    .open(tempdir().toPath().resolve("berths.cairn")) {
                        rows("berths", Berth::class.java, { berths }, { _ -> }) {}
                        declare()
                    }.use { refusing<InvalidDeclaration> { it.save(1) } }

            refusal { graph("plan", { plan }, {}) } shouldContain "is also 'berths'"
            refusal {
                graph("plan", { plan }, {}) { outside("first", berths[0]).outside("second", berths[1]) }
            } shouldContain "is also 'berths'"
            refusal { fields("home", Harbour(berths[0])) } shouldContain "'berths[0]' is the same object as 'home"
            refusal { fields("all", Quay(java.util.List.of(berths[1]))) } shouldContain
                "'berths[1]' is the same object as 'all"
        }

        test("an object may go from one graph to another between two saves") {
            val files = SimulatedDisk().host("node0")
            val program = Program().apply { second = Colony("cora") }
            ranks(1) {
                open(files) {
                    model(program)
                    graph("second", program::second, { program.second = it })
                }.use {
                    it.save(1)
                    val cora = program.second!!.agents.removeLast()
                    program.model!!.agents += cora.apply { friends.clear() }
                    it.save(2)
                    program.second!!.agents += cora
                    refusing<InvalidDeclaration> { it.save(3) } shouldContain
                        "'second.agents[0]' is also 'model.agents[2]'"
                }
            }
        }

        test("two graphs may have the same empty list of the JDK") {
            val files = SimulatedDisk().host("node0")
            ranks(1) {
                open(files) {
                    for (name in listOf("one", "two")) {
                        graph(name, { arrayListOf<Any>(java.util.List.of<String>()) }, {}) { allow("dev.cairn.item") }
                    }
                }.use { it.save(1) }
            }
        }

        test("a setter that does not take the graph is refused, but one that takes what is in it is not") {
            val files = SimulatedDisk().host("node0")
            val program = Program()
            ranks(1) {
                open(files) { model(program) }.use { it.save(1) }
                program.model!!.agents.removeLast()
                refusing<Mismatch> {
                    open(
                        files,
                    ) { graph("model", program::model, {}) }.use { it.restore() }
                } shouldContain
                    "the setter of the graph 'model' did not take what was saved: 'model.agents' is a " +
                    "java.util.ArrayList of the length 2 there, and its function returns one of 1. Let the setter put"
                open(files) {
                    graph("model", { program.model }, { saved ->
                        program.model!!.agents.clear()
                        program.model!!.agents += saved!!.agents
                    })
                }.use { it.restore() }
                program.model!!.agents.map { it.name } shouldBe listOf("anna", "ben")
            }
        }

        test(
            "several roots in a record that is made at each call come back, or the setter is refused that leaves one",
        ) {
            val files = SimulatedDisk().host("node0")
            val program = Program().apply { second = Colony("cora") }
            val get = { Roots(program.model, program.second) }
            ranks(1) {
                open(files) { graph("roots", get, {}) }.use { it.save(1) }
                program.second = null
                refusing<Mismatch> {
                    open(files) { graph("roots", get, { program.model = it.first }) }.use { it.restore() }
                } shouldContain "'roots.second' is a dev.cairn.item.Colony there, and its function returns null."
                val set = { roots: Roots -> program.model = roots.first.also { program.second = roots.second } }
                open(files) { graph("roots", get, set) }.use { it.restore() }
                program.second!!.agents.map { it.name } shouldBe listOf("cora")
            }
        }

        test("a save has the classes alone that a restart may make, whose root may be null") {
            val files = SimulatedDisk().host("node0")
            val program = Program().apply { model = null }
            ranks(1) {
                open(files) { model(program) }.use {
                    it.restore() shouldBe null
                    program.model = Colony("anna")
                    refusing<InvalidDeclaration> { it.save(1) } shouldContain
                        "'model' is of dev.cairn.item.Colony, which is in no package of the graph, since its root " +
                        "was no object of the program when the run began: name the package dev.cairn.item"
                }
            }
        }

        test("other items are asked for their objects once a save, however many graphs there are") {
            suspend fun callsWith(graphs: Int): Int {
                val files = SimulatedDisk().host("node0")
                var calls = 0
                ranks(1) {
                    open(files) {
                        replicated("names", Names, { emptyList<Agent>().also { calls++ } }, {})
                        repeat(graphs) { index -> graph("colony $index", Program()::model, {}) }
                    }.use {
                        it.save(1)
                        calls = 0
                        it.save(2)
                    }
                }
                return calls
            }
            callsWith(3) shouldBe callsWith(1)
        }

        test("a trial of a restart says where graphs differ") {
            val failure =
                shouldThrow<RestartDiffers> {
                    RestartTrial(rankCount = 1, breakAt = 5, restartOn = listOf(1)).run {
                        var walk = Walk()
                        graph("walk", { walk }, { walk = it })
                        for (step in steps(until = 10)) walk.advance()
                    }
                }
            failure.message shouldContain "Graph 'walk', walk.walker.place: 6 without the interruption, "
        }

        test("a trial takes graphs for the same whose sets have another order") {
            val report =
                RestartTrial(rankCount = 1, breakAt = 5, restartOn = listOf(1)).run {
                    var colony = Colony("anna", "ben", "cora").apply { listeners.add(HashSet(agents)) }
                    graph("colony", { colony }, { colony = it })
                    for (step in steps(until = 10)) colony.grid[0] += 1.0
                }
            report.items shouldBe setOf("colony")
        }

        test("a restart makes objects of the package of the root that it has, or of those that the program names") {
            val files = SimulatedDisk().host("node0")
            val program = Program()
            ranks(1) {
                open(files) { model(program) }.use { it.save(1) }
                program.model = null
                refusing<Mismatch> { open(files) { model(program) }.use { it.restore() } } shouldContain
                    "has objects of dev.cairn.item.Agent, which may not be made here: name its package"
                open(files) {
                    graph("model", program::model, { program.model = it }) { allow("dev.cairn.item") }
                }.use { it.restore() }
                program.model!!.agents shouldHaveSize 2
            }
        }

        test("bytes that are no graph are refused, and the program keeps what it has") {
            val heat = HeatCheckpoints()
            heat.change = { saved -> saved.copy(items = saved.items.map { it.copy(kind = "graph") }) }
            heat.save(1, step = 1, GRAPHS, fileCount = 1) { _, _ ->
                stream("model", { it.write(byteArrayOf(-1, -1, -1, 127, 1)) }, {})
            }
            val program = Program()
            val before = program.model
            ranks(1) {
                refusing<Mismatch> { open(heat.files) { model(program) }.use { it.restore() } } shouldContain
                    "the graph 'model' cannot be restored: its table cannot be read: "
            }
            program.model shouldBeSameInstanceAs before
        }

        test("packages of the JDK, and two objects outside with one name, are refused when they are declared") {
            ranks(1) {
                val files = SimulatedDisk().host("node0")
                refusing<InvalidDeclaration> {
                    open(files) { graph("model", { 3 }, {}) { allow("java.util") } }
                } shouldContain "the graph 'model' allows the package 'java.util'"
                refusing<InvalidDeclaration> {
                    open(files) { graph("model", { 3 }, {}) { outside("a", Any()).outside("a", Any()) } }
                } shouldContain "has two objects outside of it with the name 'a'"
            }
        }
    })
