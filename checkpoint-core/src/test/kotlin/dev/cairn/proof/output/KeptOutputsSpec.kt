package dev.cairn.proof.output

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.item.isSame
import dev.cairn.proof.log.loggedBy
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.LostOutputs
import dev.cairn.store.DIRECTORY
import dev.cairn.store.PARENT
import dev.cairn.store.SaveNames
import dev.cairn.store.deleteIfThere
import dev.cairn.store.readWhole
import dev.cairn.store.withParent
import dev.cairn.store.writeNew
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.runBlocking
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.createLinkPointingTo
import kotlin.io.path.createSymbolicLinkPointingTo

/** The store deletes an output that was kept for a save when that is gone and no other one needs it, and no other file. */
class KeptOutputsSpec :
    FunSpec({
        fun course(files: BlockStore = SimulatedDisk().withParent().host("node0")) = KeptCourse(files)

        /** Saves 1 to 5, the third of which was restored again. */
        suspend fun passedOver(files: BlockStore = SimulatedDisk().withParent().host("node0")) =
            course(files).apply {
                start("a", saves = 5)
                start("b") { from = 3 }
                outputs shouldBe mapOf("" to "a1 a2 a3", ".save-5" to "a1 a2 a3 a4 a5")
            }

        /** As a program leaves it that is killed when the kept file has its name, and the new one not yet. */
        suspend fun halfPassedOver() = passedOver().apply { files.delete(KeptCourse.LOG) }

        /** As many saves as retention needs to delete all before them. */
        suspend fun KeptCourse.outlive(from: Int? = null) =
            start("c", saves = 5) {
                this.from = from
                keepLast = 2
            }

        fun KeptCourse.change(file: Path, bytes: ByteArray) {
            files.deleteIfThere(file)
            files.writeNew(file, bytes)
        }

        val kept = PARENT.resolve("log.txt.save-5")
        val records = DIRECTORY.resolve(SaveNames.KEPT_OUTPUTS)

        fun KeptCourse.changeRecords(old: String, new: String) {
            val text = checkNotNull(files.readWhole(records, 1 shl 20)).decodeToString()
            change(records, text.replace(old, new).encodeToByteArray())
        }

        test("retention deletes it with the last save that needs it, and not before") {
            passedOver().run {
                listed() shouldBe listOf("$kept  15 bytes  kept for save 5")
                start("c", saves = 1) {
                    from = 3
                    keepLast = 2
                }
                exists(".save-5") shouldBe true
                loggedBy { start("c", saves = 1) { keepLast = 2 } } shouldContain
                    "INFO: $kept: deleted, since save 5 is gone, and no other save needs it"
                outputs shouldBe mapOf("" to "a1 a2 a3 c4 c5")
                listed() shouldBe emptyList()
                hasRecords shouldBe false
            }
        }

        test("so does cairn rm") {
            passedOver().run {
                rm(5) shouldBe listOf("$DIRECTORY/000005: deleted")
                exists(".save-5") shouldBe true
                rm(4) shouldBe listOf("$DIRECTORY/000004: deleted")
                exists(".save-5") shouldBe false
                start("c") shouldBe saved[3]
            }
        }

        test("a save that is there keeps its file, although the output has all of it") {
            passedOver().run {
                start("b") { from = 5 }
                rm(4)
                outputs shouldBe mapOf("" to "a1 a2 a3 a4 a5", ".save-5" to "a1 a2 a3 a4 a5")
            }
        }

        test("a pinned save keeps it, whether it is the one for which it was kept or another one that needs it") {
            for (pinned in 4..5) {
                passedOver().run {
                    cairn("pin", "$DIRECTORY", "$pinned")
                    outlive(from = 3)
                    exists(".save-5") shouldBe true
                    start("d") { from = pinned } shouldBe saved[pinned]
                    cairn("unpin", "$DIRECTORY", "$pinned")
                    start("e", saves = 1)
                    start("e", saves = 2) { keepLast = 2 }
                    exists(".save-5") shouldBe false
                }
            }
        }

        test("a file that has more than its save has covered stays, and is listed until that save is gone") {
            course().run {
                start("a", saves = 5, unsaved = "tail")
                start("b") { from = 3 }
                listed() shouldBe listOf("$kept  20 bytes  kept for save 5")
                loggedBy { outlive(from = 3) } shouldContain
                    "WARNING: $kept: it was kept for save 5, which is gone, but may have bytes that no save covered. " +
                    "It stays until you delete it"
                outputs.shouldContain(".save-5", "a1 a2 a3 a4 a5 tail")
                listed() shouldBe emptyList()
            }
        }

        test("a file that has changed and one without a record stay") {
            val changes =
                listOf<KeptCourse.() -> Unit>(
                    { change(kept, "a1\na2\na3\na4\nx5\n".encodeToByteArray()) },
                    { change(kept, "a1\n".encodeToByteArray()) },
                    { files.delete(records) },
                )
            for (change in changes) {
                passedOver().run {
                    change()
                    outlive(from = 3)
                    exists(".save-5") shouldBe true
                    hasRecords shouldBe false
                }
            }
        }

        test("what another store has in the place of the output stays") {
            val files = SimulatedDisk().withParent().host("node0")
            val (own, other) = course(files) to KeptCourse(files, PARENT.resolve("other.cairn"))
            own.start("a", saves = 5)
            own.start("b", saves = 1) { from = 3 }
            other.start("B", saves = 3)
            own.start("c", saves = 3) {
                from = 5
                keepLast = 2
            }
            own.outlive()
            other.orRenamed(other.saved.getValue(3)) { other.start("B") } shouldBe other.saved[3]
        }

        test("what the user has put in the place of the output stays") {
            course().run {
                start("a", saves = 3)
                change(KeptCourse.LOG, "thesis\n".encodeToByteArray())
                start("b", saves = 3) {
                    from = 1
                    keepLast = 2
                    lostOutputs = LostOutputs.BEGIN_ANEW
                }
                outlive()
                outputs.shouldContain(".1", "thesis")
            }
        }

        test("a file that may be deleted holds no file of another store") {
            val files = SimulatedDisk().withParent().host("node0")
            val (own, other) = course(files) to KeptCourse(files, PARENT.resolve("other.cairn"))
            own.start("x", saves = 5)
            own.start("x") { from = 1 }
            other.start("x", saves = 3)
            own.start("y", saves = 4) {
                fresh = true
                keepLast = 2
            }
            own.outlive()
            own.outputs.values shouldContain "x1 x2 x3"
        }

        test("the only file with the lines of a save stays, whatever follows a kill between the renames") {
            halfPassedOver().run {
                rm(5)
                rm(4)
                start("c") shouldBe saved[3]
            }
            for (next in listOf<KeptCourse.() -> Unit>({}, { cairn("pin", "$DIRECTORY", "3") })) {
                halfPassedOver().run {
                    next()
                    start("c", saves = 4) {
                        from = 2
                        keepLast = 2
                    }
                    outlive()
                    for (number in numbers) start("d") { from = number } shouldBe saved[number]
                }
            }
            halfPassedOver().run {
                cairn("pin", "$DIRECTORY", "3")
                start("f", saves = 4) {
                    fresh = true
                    keepLast = 2
                }
                outlive()
                start("d") { from = 3 } shouldBe saved[3]
            }
        }

        test("a save that was made after it finds its lines in it, though its own kept file got a number") {
            course().run {
                start("a", saves = 3)
                start("b", saves = 2) { from = 1 }
                start("b", unsaved = "b4") { from = 4 }
                start("a") { from = 2 }
                rm(5)
                start("d") { from = 4 } shouldBe saved[4]
            }
        }

        test("a file of the right name that has not the lines of its save does not stand in for the output") {
            course().run {
                start("a", saves = 5)
                val whole = PARENT.resolve("log.txt.1")
                files.rename(KeptCourse.LOG, whole)
                change(KeptCourse.LOG, "a1\na2\na3\nzz\n".encodeToByteArray())
                change(kept, "a1\na2\na3\n".encodeToByteArray())
                start("b") { from = 3 }
                shouldThrow<Mismatch> { start("b") { from = 5 } }
                files.delete(KeptCourse.LOG)
                files.rename(whole, KeptCourse.LOG)
                start("b") { from = 3 }
                outputs.values shouldContain "a1 a2 a3 a4 a5"
            }
        }

        test("a restart cuts no lines of an older save that only the output has") {
            passedOver().run {
                start("b", saves = 1) { from = 2 }
                start("b") { from = 5 } shouldBe saved[5]
                rm(5)
                start("b") shouldBe saved[6]
                start("b") { from = 4 } shouldBe saved[4]
            }
        }

        test("a save that cannot be read at one start finds its lines at the next") {
            course().run {
                start("a", saves = 5)
                start("a", saves = 1) { from = 2 }
                start("x") { from = 5 }
                rm(5)
                val manifest = DIRECTORY.resolve("000004/${SaveNames.MANIFEST}")
                files.rename(manifest, manifest.resolveSibling("elsewhere"))
                start("c", saves = 1)
                files.rename(manifest.resolveSibling("elsewhere"), manifest)
                start("c") { from = 4 } shouldBe saved[4]
            }
        }

        test("a file that another store may delete holds no lines of this one") {
            val files = SimulatedDisk().withParent().host("node0")
            val (one, two) = course(files) to KeptCourse(files, PARENT.resolve("other.cairn"))
            for (each in listOf(one, two)) {
                each.start("a", saves = 5)
                each.start("a") { from = 3 }
            }
            one.rm(5)
            one.rm(4)
            two.orRenamed(two.saved.getValue(5)) { two.start("a") { from = 5 } } shouldBe two.saved[5]
        }

        test("an owner from which the store was taken may delete what it was about to delete") {
            val files = RefusingFiles(SimulatedDisk().withParent().host("node0"))
            passedOver(files).run {
                start("b") { from = 4 }
                var successor: KeptCourse? = null
                files.refused = {
                    val isNow = it.kind() == Kind.DELETE && it.path() == kept && successor == null
                    if (isNow) {
                        val next = KeptCourse(files.behind, DIRECTORY).also { successor = it }
                        runBlocking {
                            next.start("c") {
                                takeOver = true
                                from = 3
                            }
                        }
                    }
                    false
                }
                rm(5)
                orRenamed(saved.getValue(4)) { start("d") { from = 4 } } shouldBe saved[4]
            }
        }

        test("files that end in the same way and begin differently are different") {
            val same = "s".repeat(70_000)
            course().run {
                start("a", saves = 1)
                start("first\n$same", saves = 2) { from = 1 }
                start("other\n$same", saves = 2) { from = 1 }
                rm(3)
                start("c") { from = 2 }
                outputs.values.any { "first" in it } shouldBe true
            }
        }

        test("it has the name of a save that needs it, also where a newer one was passed over") {
            course().run {
                start("a", saves = 5)
                start("b", saves = 1) { from = 3 }
                start("a") { from = 5 }
                start("a") { from = 4 }
                rm(5)
                start("a") { from = 3 }
                start("a") { from = 4 } shouldBe saved[4]
            }
        }

        test("a save whose deletion has begun may be recovered, and keeps it") {
            passedOver().run {
                rm(4)
                val manifest = DIRECTORY.resolve("000005/${SaveNames.MANIFEST}")
                files.rename(manifest, manifest.resolveSibling(SaveNames.NEW_MANIFEST))
                rm(2)
                exists(".save-5") shouldBe true
                cairn("recover", "$DIRECTORY/5").single() shouldContain "a checkpoint again"
                start("c") shouldBe saved[5]
            }
        }

        test("a save that cannot be read may need it") {
            passedOver().run {
                rm(5)
                val manifest = DIRECTORY.resolve("000003/${SaveNames.MANIFEST}")
                files.rename(manifest, manifest.resolveSibling("elsewhere"))
                rm(4)
                exists(".save-5") shouldBe true
                files.rename(manifest.resolveSibling("elsewhere"), manifest)
                rm(2)
                exists(".save-5") shouldBe false
            }
        }

        test("the records of a store that was copied are not its own") {
            passedOver().run {
                changeRecords("\"$DIRECTORY\"", "\"/elsewhere/heat.cairn\"")
                outlive(from = 3)
                exists(".save-5") shouldBe true
                hasRecords shouldBe true
            }
        }

        test("fields of a newer version are ignored") {
            passedOver().run {
                changeRecords("\"number\"", "\"newer\": [1], \"number\"")
                outlive(from = 3)
                exists(".save-5") shouldBe false
            }
        }

        test("records that are wrong delete nothing, fail nothing, and are said to be wrong") {
            val wrong =
                mapOf(
                    "[" to "Expected end of the array",
                    "{}" to "Expected start of the array",
                    " ".repeat((1 shl 20) + 1) to "it has more than 1048576 bytes",
                    record("/run/log.txt") to "/run/log.txt was never kept for save 5",
                    record("/run/../run/log.txt.save-5") to "log.txt.save-5 was never kept for save 5",
                    record("log.txt.save-5") to "log.txt.save-5 was never kept for save 5",
                    record("\\u0000") to "Nul character not allowed",
                )
            for ((text, flaw) in wrong) {
                passedOver().run {
                    change(records, text.encodeToByteArray())
                    val sentence =
                        "$DIRECTORY: an output that was kept could not be deleted, tried again next time: $records: " +
                            "it should list files of outputs, and does not: "
                    val log = loggedBy { start("c", saves = 3) { keepLast = 2 } }
                    log.first { sentence in it } shouldContain flaw
                    rm(numbers.first()).single() shouldContain sentence
                    cairn("ls", "$DIRECTORY").last() shouldContain flaw
                    exists(".save-5") shouldBe true
                }
            }
        }

        test("a disk that refuses leaves the file to the next time, and fails neither a save nor rm") {
            for (kind in listOf(Kind.DELETE, Kind.OPEN)) {
                val files = RefusingFiles(SimulatedDisk().withParent().host("node0"))
                passedOver(files).run {
                    rm(5)
                    files.refused = { it.kind() == kind && it.path() == kept }
                    rm(4).single() shouldContain
                        "an output that was kept could not be deleted, tried again next time: $kept: planned"
                    files.refused = { false }
                    rm(2)
                    exists(".save-5") shouldBe false
                    hasRecords shouldBe false
                }
            }
        }

        test("a record that cannot be made keeps the file for good") {
            val files = RefusingFiles(SimulatedDisk().withParent().host("node0"))
            course(files).run {
                start("a", saves = 5)
                files.refused = { it.kind() == Kind.CREATE && it.path().endsWith(SaveNames.NEW_KEPT_OUTPUTS) }
                loggedBy { start("b") { from = 3 } }.single { "$kept" in it && "WARNING" in it } shouldContain
                    "$kept: it has no record in $records, and stays until you delete it: "
                files.refused = { false }
                outlive(from = 3)
                exists(".save-5") shouldBe true
            }
        }

        test("a link to a kept file holds nothing of its own") {
            val files = FileBlockStore()
            val kept = tempdir().toPath().resolve("log.txt.save-5")
            files.writeNew(kept, "a1\na2\n".encodeToByteArray())
            val copy = kept.resolveSibling("copy").also { kept.toFile().copyTo(it.toFile()) }
            val soft = kept.resolveSibling("soft").createSymbolicLinkPointingTo(kept.fileName)
            val hard = kept.resolveSibling("hard").createLinkPointingTo(kept)
            listOf(copy, soft, hard).map { files.isSame(it, kept, 6) } shouldBe listOf(true, false, false)
        }

        test("a file that cannot be deleted keeps no other one") {
            val files = RefusingFiles(SimulatedDisk().withParent().host("node0"))
            passedOver(files).run {
                changeRecords("[", """[${record("/run/other.txt.save-5").removeSurrounding("[", "]")},""")
                files.writeNew(PARENT.resolve("other.txt.save-5"), byteArrayOf(1))
                files.refused = { it.kind() == Kind.OPEN && it.path() == PARENT.resolve("other.txt.save-5") }
                rm(5)
                rm(4).single() shouldContain "an output that was kept could not be deleted, tried again next time"
                exists(".save-5") shouldBe false
            }
        }

        test("a store without kept outputs looks for none") {
            val files = RefusingFiles(SimulatedDisk().withParent().host("node0"))
            files.refused = {
                it
                    .path()
                    .fileName
                    .toString()
                    .startsWith(SaveNames.KEPT_OUTPUTS)
            }
            course(files).run {
                start("a", saves = 3) { keepLast = 2 }
                rm(2) shouldBe listOf("$DIRECTORY/000002: deleted")
            }
        }
    })

private fun record(file: String) = """[{"file": "$file", "number": 5, "store": "$DIRECTORY"}]"""

private class RefusingFiles(val behind: BlockStore) : ForwardingStore(behind) {
    var refused: (BlockStore.Operation) -> Boolean = { false }

    override fun onOperation(operation: BlockStore.Operation) {
        if (refused(operation)) throw IOException("planned")
    }
}
