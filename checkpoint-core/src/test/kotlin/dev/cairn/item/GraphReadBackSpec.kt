package dev.cairn.item

import dev.cairn.Checkpoints
import dev.cairn.StateBuilder
import dev.cairn.checkpoint.checkpointStore
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.AbstractMap.SimpleEntry
import java.util.EnumMap
import java.util.Optional
import java.util.TreeMap
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReference

/** Refuses lists that have no content yet. */
@JvmRecord
private data class Crowd(val names: ArrayList<String>) {
    init {
        require(names.isNotEmpty())
    }
}

/** Its hash reads what the program sets again after a restart. */
private class Tag(private val name: String) {
    @Transient
    private val text: String? = name

    override fun hashCode() = text.hashCode()

    override fun equals(other: Any?) = other is Tag && other.name == name
}

@JvmRecord
private data class Pact(val sides: List<Any>, val count: Int) {
    init {
        require(count == 0 || sides.size == count) { "not all have come" }
    }
}

@JvmRecord
private data class Kept(val held: Any?, val count: Int)

/** Changes what it gets, if it is to. */
@JvmRecord
private data class Roster(val names: ArrayList<String>, val added: Int) {
    init {
        repeat(added) { names += "one more" }
    }
}

private class Handle {
    override fun hashCode() = super.hashCode() + 1

    override fun equals(other: Any?) = other === this
}

private suspend fun Communicator.open(
    files: BlockStore,
    options: CheckpointOptions = CheckpointOptions(),
    declare: StateBuilder.() -> Unit,
): Checkpoints = checkpoints(GRAPHS, options, files, declare = declare)

private fun StateBuilder.model(program: Program) = graph("model", { program.model }, { program.model = it })

/** What a save finds out about its graphs before it is committed. */
class GraphReadBackSpec :
    FunSpec({
        test("the first save reads the graph back, and says where it differs") {
            val files = SimulatedDisk().host("node0")
            val program = Program().apply { model!!.listeners.add(Crowd(arrayListOf("a"))) }
            ranks(1) {
                open(files) { model(program) }.use {
                    refusing<NotSaved> { it.save(1) } shouldContain "the graph 'model' cannot be read back: "
                }
            }
        }

        test("a later save reads it back, too, if it has a class that no earlier one had") {
            val files = SimulatedDisk().host("node0")
            val program = Program()
            ranks(1) {
                open(files) { model(program) }.use {
                    it.save(1)
                    program.model!!.listeners.add(Crowd(arrayListOf("a")))
                    refusing<NotSaved> { it.save(2) } shouldContain
                        "the graph 'model' cannot be read back: the graph 'model' cannot be restored: the " +
                        "constructor of dev.cairn.item.Crowd threw "
                    program.model!!.listeners.clear()
                    it.save(3)
                }
            }
            checkpointStore(files, GRAPHS).survey().saves shouldHaveSize 2
        }

        test("a later save reads it back, too, if a class comes into a table that was not in one before") {
            val files = SimulatedDisk().host("node0")
            val tags = HashSet<Tag>()
            val program = Program().apply { model!!.listeners.addAll(listOf(tags, Tag("a"))) }
            ranks(1) {
                open(files) { model(program) }.use {
                    for (step in 1L..2) it.save(step)
                    tags += Tag("b")
                    refusing<NotSaved> { it.save(3) } shouldContain "'model.listeners[0][0]' is a key, and its hashCode"
                }
            }
        }

        test("what constructors of records do is tried at each save, without a change of the program") {
            val files = SimulatedDisk().host("node0")
            val flaws =
                mapOf<Any, String>(
                    Pact(arrayListOf("a"), 1) to "the constructor of dev.cairn.item.Pact threw",
                    Roster(arrayListOf(), 1) to "the constructor of a record changes 'model.listeners[0].names'",
                    Countdown(3) to "the constructor of dev.cairn.item.Countdown changes its component 'number'",
                )
            for ((record, flaw) in flaws) {
                val program = Program()
                val good = listOf(Pact(listOf(), 0), Roster(arrayListOf(), 0), Countdown(0), Optional.of("a"))
                program.model!!.listeners.addAll(good)
                ranks(1) {
                    open(files) { model(program) }.use {
                        for (step in 1L..2) it.save(step)
                        program.model!!.listeners.add(0, record)
                        val before = "${program.model!!.listeners}"
                        refusing<NotSaved> { it.save(3) } shouldContain flaw
                        "${program.model!!.listeners}" shouldBe before
                        program.model!!.listeners.removeAt(0)
                        it.save(5)
                    }
                }
            }
        }

        test("records of records, lists and arrays are made at each save, and one that needs itself is refused") {
            val files = SimulatedDisk().host("node0")
            val program = Program()
            val entry = SimpleEntry<String, Any>("a", "b")
            val sorted = listOf(TreeMap(mapOf("a" to 1)), EnumMap(mapOf(TimeUnit.DAYS to 1)), AtomicReference("a"))
            val others = listOf(program.model!!.agents, doubleArrayOf(1.0), AtomicInteger(3), entry)
            val all = java.util.List.copyOf(others + sorted)
            program.model!!.listeners.addAll(listOf(Pact(java.util.List.of(Pact(all, 7)), 1), Pact(all, 7)))
            ranks(1) {
                open(files) { model(program) }.use {
                    for (step in 1L..3) it.save(step)
                    entry.setValue(program.model!!.listeners[1])
                    for (step in 4L..5) {
                        refusing<NotSaved> { it.save(step) } shouldContain "the graph 'model' cannot be read back: "
                    }
                }
            }
        }

        test("an entry whose value was set to what needs it is refused at each save") {
            val files = SimulatedDisk().host("node0")
            val program = Program()
            val entry = SimpleEntry<String, Any>("a", "b")
            program.model!!.listeners.addAll(listOf(entry, java.util.List.of(1), Kept("a", 1)))
            ranks(1) {
                open(files) { model(program) }.use {
                    for (step in 1L..2) it.save(step)
                    for (value in listOf<Any>(java.util.List.of(entry), Kept(entry, 2))) {
                        entry.setValue(value)
                        refusing<NotSaved> { it.save(3) } shouldContain "needs itself to be made"
                    }
                    entry.setValue(Kept(program.model, 3))
                    it.save(4)
                }
            }
        }

        test("a key whose hash reads a transient field is refused, but one with the hash of an address is not") {
            val files = SimulatedDisk().host("node0")
            val program = Program()
            ranks(1) {
                open(files) { model(program) }.use {
                    program.model!!.listeners.add(hashSetOf(Tag("a"), Tag("b")))
                    refusing<NotSaved> { it.save(1) } shouldContain
                        "'model.listeners[0][0]' is a key, and its hashCode is another one after a restart: let it " +
                        "read no transient field"
                    program.model!!.listeners[0] = hashSetOf(program.model to 1)
                    it.save(2)
                }
            }
        }

        test("a key whose own hash reads that of its address is warned about") {
            val files = SimulatedDisk().host("node0")
            val program = Program()
            program.model!!.listeners.addAll(listOf(hashSetOf(Handle(), Handle()), linkedSetOf(Handle())))
            val logged =
                loggedBy {
                    ranks(1) {
                        open(files) { model(program) }.use {
                            it.save(1)
                            program.model!!.listeners += "a"
                            it.save(2)
                        }
                    }
                }
            logged.single { it.startsWith("WARNING") } shouldContain
                "'model.listeners[0][0]' is a key whose hashCode is another one in each run"
        }

        test("a key that has changed is refused by each save") {
            val files = SimulatedDisk().host("node0")
            val key = ArrayList(listOf("a"))
            val program = Program().apply { model!!.listeners.add(HashSet(listOf(key))) }
            ranks(1) {
                open(files) { model(program) }.use {
                    it.save(1)
                    key += "b"
                    refusing<InvalidDeclaration> { it.save(2) } shouldContain
                        "'model.listeners[0]' has a key that has changed since it was put in, a java.util.ArrayList"
                }
            }
        }

        test("an order that many keys in one place change is warned about once") {
            val files = SimulatedDisk().host("node0")
            val keys = (0..15).map { bits -> (0..3).joinToString("") { if (bits shr it and 1 == 0) "Aa" else "BB" } }
            val table = HashMap<String, Int>(128).apply { for (key in keys) put(key, 1) }
            val program = Program().apply { model!!.listeners.addAll(listOf(table, hashSetOf(arrayListOf("a")))) }
            val logged =
                loggedBy {
                    ranks(1) { open(files) { model(program) }.use { for (step in 1L..4) it.save(step) } }
                }
            logged.single { it.startsWith("WARNING") } shouldContain
                "'model.listeners[0]' is a java.util.HashMap whose order is another one after a restart"
        }

        test("a set that comes later, and whose order changes, is warned about") {
            val files = SimulatedDisk().host("node0")
            val program = Program()
            val logged =
                loggedBy {
                    ranks(1) {
                        open(files) { model(program) }.use {
                            it.save(1)
                            program.model!!.listeners.add(HashSet(program.model!!.agents))
                            it.save(2)
                            it.save(3)
                        }
                    }
                }
            logged.single { it.startsWith("WARNING") } shouldContain
                "'model.listeners[0]' is a java.util.HashSet with keys"
        }

        test("an object that a static field holds, too, is warned about, unless it is given to the setter") {
            val files = SimulatedDisk().host("node0")
            val program = Program()
            val logged =
                loggedBy {
                    ranks(1) {
                        open(files) { model(program) }.use {
                            Colony.present = program.model
                            it.save(1)
                            Colony.leader = program.model!!.agents[0]
                            it.save(2)
                        }
                    }
                }
            Colony.leader = null
            Colony.present = null
            logged.single { it.startsWith("WARNING") } shouldContain
                "'model.agents[0]' is also what the static field dev.cairn.item.Colony.leader holds, and a restart " +
                "makes two of it: let the setter set that field, too."
        }

        test("check-restart reads it back, too") {
            val files = SimulatedDisk().host("node0")
            val program = Program()
            loggedBy {
                ranks(1) {
                    open(files, CheckpointOptions { checkRestart = true }) { model(program) }.use {
                        it.save(1)
                        program.model!!.agents += Agent("cora")
                        it.save(2)
                    }
                }
            }.single { "check-restart" in it } shouldContain "'model' can be read"
        }

        test("a set whose order changes is warned about once") {
            val files = SimulatedDisk().host("node0")
            val program = Program().apply { model!!.listeners.add(HashSet(model!!.agents)) }
            val logged =
                loggedBy {
                    ranks(1) {
                        open(files) { model(program) }.use {
                            it.save(1)
                            it.save(2)
                        }
                    }
                }
            logged.single { it.startsWith("WARNING") } shouldContain
                "'model.listeners[0]' is a java.util.HashSet with keys that have no hashCode"
        }
    })
