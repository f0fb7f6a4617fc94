package dev.cairn.cli

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.grid.Decomposition
import dev.cairn.house.Campaign
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import dev.cairn.store.SaveNames
import dev.cairn.store.deleteIfThere
import dev.cairn.store.name
import dev.cairn.store.writeNew
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path

/**
 * Commands beside a program that commits, gives up or deletes saves: from any operation of a command on, the program takes a step of its
 * own before each. The saves 1 and 2 are good, 3 is sealed and drained, and 4 is about to be committed.
 */
class ChangingStoreSpec :
    FunSpec({
        for ((what, change) in CHANGES) {
            test("beside a program that $what, no command calls a save damaged") {
                val contents = contentsOf(sealedStore())
                for (command in COMMANDS) {
                    val words = command.split(' ').toTypedArray()
                    val count =
                        ChangingStore(
                            diskWith(contents),
                            emptyList(),
                            0,
                        ).also { HeatCheckpoints(it).cairn(*words) }.count
                    count shouldBeGreaterThan 5
                    for (first in Campaign.CRASH_POINTS.someOf((0 until count).toList())) {
                        val files = diskWith(contents)
                        val run = HeatCheckpoints(ChangingStore(files, files.change(), first)).cairn(*words)
                        withClue("cairn $command, from operation $first on: ${run.text}${run.complaint}") {
                            run.exitCode shouldBeIn if ('/' in command) listOf(0, 3) else listOf(0)
                            for (word in ACCUSATIONS) "${run.text}${run.complaint}" shouldNotContain word
                            for (word in GONE) files.page() shouldNotContain word
                        }
                    }
                }
            }
        }

        test("a sealed save that is committed while it is verified is verified as a checkpoint") {
            val files = sealedStore()
            val run =
                HeatCheckpoints(AtOnce(files, Kind.OPEN, SaveNames.SEAL) { files.commitSealed() })
                    .cairn("verify", "heat.cairn")
            run.exitCode shouldBe 0
            run.text shouldBe (1..3).joinToString("") { "save $it: good; ranks 4, items 3, bytes 6845\n" }
        }

        test("a restart restores a sealed save that the former owner commits at that moment") {
            val files = sealedStore()
            val busy = AtOnce(files, Kind.OPEN, SaveNames.SEAL) { files.commitSealed() }
            ranks(4) {
                val own = Decomposition.rows(SHAPE, size).boxes(rank).first()
                val cells = DoubleArray(own.cellCount().toInt())
                var time = 0.0
                var seen = ""
                checkpoints(HEAT, files = busy) {
                    field("u", SHAPE, ElementType.DOUBLE) { block(own, cells) }
                    replicated("time", { time }, { time = it })
                    perRank("seen", { seen }, { seen = it })
                }.use { it.restore() shouldBe Restored(3, 1, 4, "main") }
                cells.first() shouldBe cell(SHAPE.index(*own.cell(0)))
            }
        }

        for ((kind, name) in listOf(Kind.OPEN to SaveNames.SEAL, Kind.OPEN to SaveNames.HOSTS)) {
            test("a sealed save that is committed or given up is not drained: before $name is read") {
                for ((sentence, change) in mapOf(
                    "save 3, step 1: committed" to BlockStore::commitSealed,
                    "save 3: not needed, since it was deleted meanwhile" to BlockStore::giveUpSealed,
                )) {
                    val files = sealedStore()
                    val busy = AtOnce(files, kind, name) { files.change() }
                    HeatCheckpoints(busy).cairn("drain", "heat.cairn", "--local", "$SCRATCH_ME").run {
                        withClue("$text$complaint") {
                            lines.first() shouldBe sentence
                            exitCode shouldBe 0
                        }
                    }
                }
            }
        }
    })

private val CHANGES: Map<String, BlockStore.() -> List<() -> Unit>> =
    mapOf(
        "commits a sealed save" to { commitSealed() },
        "gives a sealed save up" to { giveUpSealed() },
        "commits a save and deletes the ones before" to {
            val commit = { rename(inSave(4, SaveNames.NEW_MANIFEST), inSave(4, SaveNames.MANIFEST)) }
            listOf(commit) + (1..3).flatMap(::deletionOf)
        },
    )

private val COMMANDS =
    listOf(
        "verify heat.cairn",
        "ls heat.cairn",
        "ls heat.cairn --deep",
        "info heat.cairn",
        "explain heat.cairn",
        "plan heat.cairn --ranks 4",
        "report heat.cairn",
        "extract heat.cairn u u.npy",
        "verify heat.cairn/2",
        "verify heat.cairn/3",
        "info heat.cairn/2",
        "info heat.cairn/3",
        "plan heat.cairn/3 --ranks 4",
        "extract heat.cairn/2 u u.npy",
        "diff heat.cairn/1 heat.cairn/2",
    )

private val ACCUSATIONS =
    listOf(
        "damaged",
        "rejected",
        "lost its manifest",
        "no such file",
        "does not exist",
        "cannot be read",
        "unknown",
        "should",
        "please report",
    )

private suspend fun sealedStore(): BlockStore {
    val heat = SealedHeat()
    repeat(4) { heat.on[0].save(4, step = 1, fileCount = 2) }
    heat.seal(3)
    val files = heat.on[0].files
    listOf("data.sion", "data.sion.000001").forEachIndexed { host, name ->
        files.writeNew(inSave(3, name), heat.on[host].read(heat.partOf(3, name)).array())
    }
    files.rename(inSave(4, SaveNames.MANIFEST), inSave(4, SaveNames.NEW_MANIFEST))
    return files
}

/** What a report must not say either; it has words of its own. */
private val GONE = listOf("no such file", "while it was read", "manifest lost", "deleted faster")

/** That of `cairn report`. */
private fun BlockStore.page(): String {
    val page = HEAT.resolveSibling("heat.cairn.html")
    return if (exists(page)) HeatCheckpoints(this).read(page).array().decodeToString() else ""
}

/** The files of the store, with their bytes. */
private fun contentsOf(files: BlockStore): Map<Path, ByteArray> {
    val heat = HeatCheckpoints(files)
    val saves = files.list(HEAT).filter { SaveNames.numberOf(it.name) != null }
    return saves.flatMap(files::list).associateWith { heat.read(it).array() }
}

private fun diskWith(contents: Map<Path, ByteArray>): BlockStore {
    val files = SimulatedDisk().host("node0")
    files.makeDirectory(HEAT)
    contents.keys
        .map { it.parent }
        .distinct()
        .forEach(files::makeDirectory)
    contents.forEach { (file, bytes) -> files.writeNew(file, bytes) }
    return files
}

private fun inSave(number: Int, name: String): Path = HEAT.resolve(SaveNames.directory(number)).resolve(name)

/** The steps of a commit, in the order of the program's. */
private fun BlockStore.commitSealed(): List<() -> Unit> {
    val manifest = HeatCheckpoints(this).read(inSave(3, SaveNames.SEAL)).array()
    return listOf(
        {
            delete(inSave(3, SaveNames.NEW_MANIFEST))
            writeNew(inSave(3, SaveNames.NEW_MANIFEST), manifest)
            rename(inSave(3, SaveNames.NEW_MANIFEST), inSave(3, SaveNames.MANIFEST))
        },
        { delete(inSave(3, SaveNames.SEAL)) },
        { delete(inSave(3, SaveNames.HOSTS)) },
    )
}

private fun BlockStore.giveUpSealed(): List<() -> Unit> =
    deletionOf(3).dropLast(1) + { writeNew(inSave(3, SaveNames.FAILURE), "save 4 is newer".encodeToByteArray()) }

/** The steps of a deletion, in the order of the program's. */
private fun BlockStore.deletionOf(number: Int): List<() -> Unit> {
    val names = list(HEAT.resolve(SaveNames.directory(number))).map { it.name }.toSet()
    val mark = inSave(number, SaveNames.NEW_MANIFEST)
    val ends =
        listOf<() -> Unit>(
            { deleteIfThere(inSave(number, SaveNames.SEAL)) },
            { deleteIfThere(inSave(number, SaveNames.HOSTS)) },
            { if (SaveNames.MANIFEST in names) rename(inSave(number, SaveNames.MANIFEST), mark) },
        )
    val others = names - setOf(SaveNames.MANIFEST, SaveNames.SEAL, SaveNames.HOSTS, SaveNames.NEW_MANIFEST)
    val data = others.map { { delete(inSave(number, it)) } }
    return ends + data + { delete(mark) } + { delete(mark.parent) }
}

/** From its operation number [first] on, one of [steps] is taken before each. */
private class ChangingStore(files: BlockStore, steps: List<() -> Unit>, private val first: Int) :
    ForwardingStore(files) {
    private val steps = steps.iterator()
    var count = 0
        private set

    override fun onOperation(operation: BlockStore.Operation) {
        if (count++ >= first && steps.hasNext()) steps.next().invoke()
    }
}

/** All steps of [change] are taken before the file [name] is first used in the way of [kind]. */
private class AtOnce(
    files: BlockStore,
    private val kind: Kind,
    private val name: String,
    private val change: () -> List<() -> Unit>,
) : ForwardingStore(files) {
    private var isDone = false

    override fun onOperation(operation: BlockStore.Operation) {
        if (isDone || operation.kind() != kind || operation.path().name != name) return
        isDone = true
        change().forEach { it() }
    }
}
