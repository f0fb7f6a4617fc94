package dev.cairn.heap

import dev.cairn.heap.planted.run
import dev.cairn.house.Campaign
import dev.cairn.house.JDK_DEPENDENT
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.netbeans.lib.profiler.heap.HeapFactory
import org.netbeans.lib.profiler.heap.Instance
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.fileSize
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes
import kotlin.random.Random

/** The reader of dumps, beside another one, and with files that are none. */
@Tags(JDK_DEPENDENT)
class HeapDumpSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val file = directory.resolve("none.hprof")
        val damaged = directory.resolve("damaged.hprof")

        beforeSpec { run("dev.cairn.heap.planted.Task", "$directory", "none") }

        test("the reader of NetBeans finds the same classes, as many objects, and the same numbers in their fields") {
            val other = HeapFactory.createHeap(file.toFile())
            HeapDump.open(file).use { dump ->
                val counts = (0 until dump.count).groupingBy { typeOf(dump, it) }.eachCount()
                counts shouldBe other.allClasses.associate { it.name to it.instancesCount }.filterValues { it > 0 }
                dump.classes.size shouldBeGreaterThan 400

                val compared =
                    other.allInstances.asSequence().filterIsInstance<Instance>().sumOf { instance ->
                        numbersOf(dump, instance.instanceId)
                            .onEach { (field, value) ->
                                withClue("$field of ${instance.javaClass.name}") {
                                    instance.getValueOfField(field).toString() shouldBe
                                        value
                                }
                            }.size
                    }
                compared shouldBeGreaterThan 10_000
            }
        }

        test("a file that is no dump, or has not its end, is refused in a sentence") {
            damaged.writeBytes("no dump at all, but longer than its head would be".toByteArray())
            shouldThrow<UnreadableDump> { HeapDump.open(damaged) }.message shouldBe
                "$damaged cannot be read as a heap dump of HotSpot: it does not begin with 'JAVA PROFILE 1.0.2' " +
                "(byte 0). Let the JVM write it again."
            damaged.writeBytes(ByteArray(0))
            shouldThrow<UnreadableDump> { HeapDump.open(damaged) }.message shouldContain "31 more bytes are expected"

            val whole = file.readBytes()
            val random = Random(Campaign.seed)
            val ends = List(Campaign.DAMAGED_BYTES.limit(30)) { random.nextInt(whole.size) } + (whole.size - 9)
            for (end in ends) {
                damaged.writeBytes(whole.copyOf(end))
                withClue("seed ${Campaign.seed}, cut at $end") {
                    shouldThrow<UnreadableDump> { HeapDump.open(damaged) }.message shouldStartWith
                        "$damaged cannot be read"
                }
            }
        }

        test("a damaged dump is refused, or compared, and neither ends otherwise") {
            val whole = file.readBytes()
            val random = Random(Campaign.seed)
            repeat(Campaign.DAMAGED_BYTES.limit(30)) {
                val bytes = whole.copyOf()
                val places = List(20) { random.nextInt(minOf(whole.size, 1 shl random.nextInt(8, 23))) }
                for (place in places) bytes[place] = random.nextInt().toByte()
                damaged.writeBytes(bytes)
                withClue("seed ${Campaign.seed}, bytes at $places") { compareOrRefuse(file, damaged) }
            }
        }

        test("a dump that does not fit into memory is read in windows") {
            DumpBytes(file, mostWindows = 2).use { bytes ->
                val whole = ByteBuffer.wrap(file.readBytes())
                val random = Random(Campaign.seed)
                repeat(10_000) {
                    val place = random.nextInt(file.fileSize().toInt() - 8)
                    bytes.long(place.toLong()) shouldBe whole.getLong(place)
                    bytes.int(place.toLong()) shouldBe whole.getInt(place)
                }
            }
        }
    })

private fun typeOf(dump: HeapDump, number: Int) =
    if (dump.kindOf(number) ==
        ObjectKind.PRIMITIVES
    ) {
        "${dump.elementType(number).word}[]"
    } else {
        longName(dump.classOf(number).name)
    }

/** As the source would write it. */
private fun longName(name: String): String {
    val element = name.trimStart('[')
    val word =
        if (element ==
            name
        ) {
            name
        } else {
            ValueType.entries.find { it.descriptor == element }?.word ?: element.drop(1).dropLast(1)
        }
    return word + "[]".repeat(name.length - element.length)
}

/** In the fields of an instance. */
private fun numbersOf(dump: HeapDump, id: Long): List<Pair<String, String>> {
    val number = dump.numberOf(id)
    if (dump.kindOf(number) != ObjectKind.INSTANCE) return emptyList()
    return dump.classOf(number).fields.distinctBy { it.name }.filter { it.type in NUMBERS }.map {
        it.name to
            it.type.text(dump.bits(number, it))
    }
}

private val NUMBERS = setOf(ValueType.INT, ValueType.LONG, ValueType.DOUBLE, ValueType.SHORT, ValueType.BYTE)

private fun compareOrRefuse(unbroken: Path, restarted: Path) {
    try {
        compareHeaps(unbroken, restarted, ProgramClasses("dev.cairn.heap.planted.Task", null))
    } catch (refusal: UnreadableDump) {
        refusal.message shouldStartWith "$restarted cannot be read"
    } catch (refusal: IllegalArgumentException) {
        refusal.message shouldStartWith "there is no class"
    }
}
