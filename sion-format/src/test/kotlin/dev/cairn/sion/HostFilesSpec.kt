package dev.cairn.sion

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path

/** Multifiles whose physical files are made and completed one by one, as on several hosts that share no files. */
class HostFilesSpec :
    FunSpec({
        for (grouping in listOf(Grouping.none(), Grouping.ofAbout(2))) {
            for (content in Content.entries) {
                test("files made one by one are those that one task makes: grouping $grouping, $content") {
                    val store = SimulatedDisk().host("node")
                    val (together, alone) = listOf("together", "alone").map(Path::of).onEach(store::makeDirectory)
                    val layout = { directory: Path ->
                        val spec =
                            MultifileSpec
                                .parallel(directory.resolve("x.sion"))
                                .withBlockSize(512)
                                .withMapping(FileMapping.byGroup { it % 3 })
                                .withGrouping(grouping)
                                .withContent(content)
                        MultifileLayout.plan(spec, TaskRequest.ofSizes(100, 600, 21, 31, 512, 77, 61))
                    }
                    val ofOne = layout(together)
                    Multifile.create(store, ofOne)
                    Multifile.close(store, ofOne, store.writeTasks(ofOne))

                    val ofSeveral = layout(alone)
                    (0 until 3).forEach { store.create(ofSeveral.file(it)).close() }
                    val usages = store.writeTasks(ofSeveral)
                    for (file in 0 until 3) {
                        store.open(ofSeveral.file(file), Access.READ_WRITE).use {
                            Multifile.writeMeta(ofSeveral, usages, file, it)
                        }
                    }
                    for (file in 0 until 3) {
                        store.bytes(ofSeveral.file(file)) shouldBe store.bytes(ofOne.file(file))
                    }
                }
            }
        }

        test("any physical file can be opened alone, also file 0 of several") {
            val store = SimulatedDisk().host("node")
            val spec =
                MultifileSpec.parallel(Path.of("x.sion")).withBlockSize(512).withMapping(
                    FileMapping.byGroup {
                        it %
                            2
                    },
                )
            val layout = MultifileLayout.plan(spec, TaskRequest.ofSizes(10, 20, 21))
            Multifile.create(store, layout)
            Multifile.close(store, layout, store.writeTasks(layout))
            store.delete(layout.file(1))
            Multifile.openFile(store, layout.file(0)).use { view ->
                view.taskCount() shouldBe 2
                view.spansFiles() shouldBe false
                val bytes = ByteBuffer.allocate(100)
                view.read(1, 0, bytes)
                bytes.flip() shouldBe ByteBuffer.wrap(ByteArray(21) { 2 })
            }
        }
    })

/** Each task writes some bytes of its own number. */
private fun BlockStore.writeTasks(layout: MultifileLayout): List<TaskUsage> =
    (0 until layout.taskCount()).map { task ->
        val slot = layout.slot(task)
        open(layout.file(slot.fileNumber()), Access.READ_WRITE).use { file ->
            val writer = ChunkWriter.of(file, slot)
            writer.write(ByteBuffer.wrap(ByteArray(task * 10 + 1) { task.toByte() }))
            writer.usage()
        }
    }

private fun BlockStore.bytes(path: Path): ByteBuffer =
    open(path, Access.READ).use { file: BlockFile ->
        ByteBuffer.allocate(file.size().toInt()).also { file.readFully(0, it) }.flip()
    }
