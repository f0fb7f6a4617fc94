package dev.cairn.item

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.name
import dev.cairn.store.readWhole
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotBeEmpty
import java.nio.ByteBuffer
import java.nio.file.Path

class KeptAsideSpec :
    FunSpec({
        test("a power failure loses no byte of a kept file whose place a longer one takes") {
            val disk = SimulatedDisk().withParent()
            val store = disk.host("node0")
            val file = PARENT.resolve("log.txt")
            store.write(PARENT.resolve("log.txt.1"), "abc", isForced = true)
            store.write(file, "abcdef", isForced = false)
            store.forceDirectory(PARENT)

            store.keepAside(file, laterSave = null)

            for (outcome in disk.crashOutcomes()) {
                val left = disk.afterCrash(outcome).host("node0")
                val logs = left.list(PARENT).filter { it.name.startsWith("log.txt") }
                withClue("$outcome leaves $logs") {
                    logs.filter { left.readText(it).orEmpty().startsWith("abc") }.shouldNotBeEmpty()
                }
            }
        }
    })

private fun BlockStore.write(file: Path, text: String, isForced: Boolean) =
    create(file).use {
        it.write(0, ByteBuffer.wrap(text.toByteArray()))
        if (isForced) it.force()
    }

private fun BlockStore.readText(file: Path): String? = readWhole(file, mostBytes = 10)?.decodeToString()
