package dev.cairn.proof.memory

import dev.cairn.house.Campaign
import dev.cairn.proof.log.quietly
import dev.cairn.save.SmallProgram
import dev.cairn.sion.store.FileBlockStore
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.lang.management.BufferPoolMXBean
import java.lang.management.ManagementFactory
import javax.management.ObjectName
import kotlin.io.path.Path
import kotlin.io.path.listDirectoryEntries

/** A program saves for weeks: what one save leaves behind is multiplied by thousands. */
class ManySavesSpec :
    FunSpec({
        quietly()

        test("saves leave no objects, direct memory, file descriptors or threads behind") {
            val program = SmallProgram(tempdir().toPath())
            program.open(FileBlockStore()).use {
                for (step in 1L..WARM_UP) it.save(step)
                val before = Footprint.now()
                for (step in WARM_UP + 1..WARM_UP + Campaign.SAVES.count) it.save(step)
                val after = Footprint.now()
                withClue("$before, then $after") { after.growthSince(before).shouldBeEmpty() }
            }
        }

        test("a footprint tells what has grown") {
            val before = Footprint(100, 1_000_000, 0, 10, 20)
            Footprint(5_000, 9_000_000, 9_000_000, 200, 200).growthSince(before) shouldBe
                listOf("objects of Cairn", "bytes of heap", "bytes of direct memory", "file descriptors", "threads")
            Footprint(150, 1_100_000, 4096, 11, 24).growthSince(before).shouldBeEmpty()
        }
    })

/** Until then, the threads of the pools have begun, and classes have their constants. */
private const val WARM_UP = 100L

/** What is left after a collection: the heap as numbers of live objects, so that no collector's habit matters. */
private data class Footprint(
    val objects: Long,
    val heapBytes: Long,
    val directBytes: Long,
    val descriptors: Int,
    val threads: Int,
) {
    /** What has grown by more than the pools of threads and their buffers may: a leak of one thing for each save does. */
    fun growthSince(before: Footprint): List<String> =
        listOf(
            Triple("objects of Cairn", objects - before.objects, 100L),
            Triple("bytes of heap", heapBytes - before.heapBytes, 1L shl 20),
            Triple("bytes of direct memory", directBytes - before.directBytes, 1L shl 20),
            Triple("file descriptors", (descriptors - before.descriptors).toLong(), 16L),
            Triple("threads", (threads - before.threads).toLong(), 16L),
        ).filter { (_, growth, most) -> growth > most }.map { it.first }

    companion object {
        fun now(): Footprint {
            val classes = liveClasses()
            return Footprint(
                objects = classes.filter { it.name.startsWith("dev.cairn.") }.sumOf { it.instances },
                heapBytes = classes.sumOf { it.bytes },
                directBytes = directPool().memoryUsed,
                descriptors = Path("/proc/self/fd").listDirectoryEntries().size,
                threads = ManagementFactory.getThreadMXBean().threadCount,
            )
        }

        private fun directPool() =
            ManagementFactory.getPlatformMXBeans(BufferPoolMXBean::class.java).first { it.name == "direct" }

        /** As `jcmd PID GC.class_histogram`, which collects garbage first. */
        private fun liveClasses(): List<LiveClass> {
            val commands = ObjectName("com.sun.management:type=DiagnosticCommand")
            val table =
                ManagementFactory.getPlatformMBeanServer().invoke(
                    commands,
                    "gcClassHistogram",
                    arrayOf(emptyArray<String>()),
                    arrayOf(Array<String>::class.java.name),
                )
            return "$table".lineSequence().mapNotNull(LINE::find).map { LiveClass(it.destructured) }.toList()
        }

        private val LINE = Regex("""^\s*\d+:\s+(\d+)\s+(\d+)\s+(\S+)""")
    }
}

private class LiveClass(columns: MatchResult.Destructured) {
    val instances = columns.component1().toLong()
    val bytes = columns.component2().toLong()
    val name = columns.component3()
}
