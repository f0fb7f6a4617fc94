package dev.cairn.item

import dev.cairn.Output
import dev.cairn.SoloCheckpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.quietly
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.lang.Thread.State.BLOCKED
import java.lang.Thread.State.TERMINATED
import java.nio.file.Path
import kotlin.concurrent.thread
import kotlin.io.path.createDirectory
import kotlin.io.path.readText

/** A thread of the program appends to an output while a restore cuts its file. */
class AppendingThreadSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        for ((way, number) in mapOf("in place" to 2, "in a copy, since a later save may need the file" to 1)) {
            test("its line comes after those of the checkpoint, $way") {
                val file = directory.resolve("run$number").createDirectory().resolve("log.txt")
                val disk = CutWatch(FileBlockStore(), file)
                lateinit var log: Output
                SoloCheckpoints
                    .open(file.resolveSibling("store"), CheckpointOptions(), disk) { log = output("log", file) }
                    .use {
                        it.restore()
                        for (step in 1L..2) {
                            log.line("step $step")
                            it.save(step)
                        }
                        log.line("of no save")
                        disk.onCut = { log.line("late") }
                        it.checkpoints.restore(number)
                        disk.late?.join()
                        it.save(3)
                    }
                file.readText() shouldBe (1..number).joinToString("") { "step $it\n" } + "late\n"
            }
        }
    })

/** While [file], or a copy that takes its place, has been cut and not yet forced, a thread does [onCut], as far as it gets. */
private class CutWatch(files: BlockStore, private val file: Path) : ForwardingStore(files) {
    var onCut: (() -> Unit)? = null
    var late: Thread? = null

    override fun onOperation(operation: BlockStore.Operation) {
        val isCut =
            operation.kind == BlockStore.Operation.Kind.FORCE &&
                "${operation.path}" in setOf("$file", "$file.cairn-new")
        val work = onCut
        if (!isCut || work == null) return
        onCut = null
        late = thread { work() }.also { while (it.state != BLOCKED && it.state != TERMINATED) Thread.onSpinWait() }
    }
}
