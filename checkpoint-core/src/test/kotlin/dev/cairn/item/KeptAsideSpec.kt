package dev.cairn.item

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.name
import dev.cairn.store.readWhole
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
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

            store.keepAside(file, forSave = null)

            for (outcome in disk.crashOutcomes()) {
                val left = disk.afterCrash(outcome).host("node0")
                val logs = left.list(PARENT).filter { it.name.startsWith("log.txt") }
                withClue("$outcome leaves $logs") {
                    logs.filter { left.readText(it).orEmpty().startsWith("abc") }.shouldNotBeEmpty()
                }
            }
        }

        test("a power failure loses no byte of a file that is put aside for a copy of its beginning") {
            val file = PARENT.resolve("log.txt")
            for (operation in 1L..16L) {
                val disk = SimulatedDisk().withParent()
                val store = disk.host("node0")
                store.write(file, "abcdef", isForced = true)
                store.forceDirectory(PARENT)
                disk.crashAt(disk.operationCount() + operation)
                runCatching { store.replaceByCopy(file, length = 3, aside = PARENT.resolve("log.txt.save-1")) {} }
                for (outcome in disk.crashOutcomes()) {
                    val left = disk.afterCrash(outcome).host("node0")
                    withClue("operation $operation, $outcome") {
                        left.list(PARENT).map { left.readText(it) } shouldContain "abcdef"
                    }
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
