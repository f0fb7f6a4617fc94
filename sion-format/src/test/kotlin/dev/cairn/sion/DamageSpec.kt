package dev.cairn.sion

import dev.cairn.house.Campaign
import dev.cairn.house.Campaign.DAMAGED_BYTES
import dev.cairn.sion.fixture.DamagedMultifile
import dev.cairn.sion.fixture.GuardedReading
import io.kotest.core.spec.style.FunSpec
import java.nio.file.Path
import java.util.TreeMap

/**
 * Whatever happens to the meta data of a multifile, a reader refuses it with a sentence, or shows exactly what the
 * damaged bytes say. The model says which of the two is right.
 */
class DamageSpec :
    FunSpec({
        val histogram = TreeMap<String, Int>()

        fun damage(
            create: () -> DamagedMultifile,
            places: List<Place>,
            damage: GuardedReading.(DamagedMultifile, Place) -> Unit,
        ) {
            val readings =
                DAMAGED_BYTES
                    .someOf(places)
                    .chunked(PLACES_PER_DISK)
                    .parallelStream()
                    .map { chunk ->
                        val multifile = create()
                        val reading = GuardedReading(multifile)
                        runCatching { chunk.forEach { reading.damage(multifile, it) } }.map { reading.histogram }
                    }
            readings.toList().flatMap { it.getOrThrow().entries }.forEach { (outcome, count) ->
                histogram.merge(outcome, count, Int::plus)
            }
        }

        MULTIFILES.forEach { (name, create) ->
            test("every other value of every meta data byte of $name is refused or read as it is") {
                damage(create, metaDataPlaces(create())) { multifile, place -> trySetting(multifile, place) }
            }

            test("every shorter file of $name is refused or read as it is") {
                damage(create, lengths(create())) { multifile, place -> tryCutting(multifile, place) }
            }
        }

        listOf("s07-keyval.sion" to ::serialRecords, "p11-keyval-two-files.sion" to ::parallelRecords)
            .forEach { (name, create) ->
                test("every other value of every record header byte of $name is refused or read as it is") {
                    damage(create, recordHeaderPlaces(create())) { multifile, place -> trySetting(multifile, place) }
                }
            }

        afterSpec {
            println("Damaged multifiles: ${histogram.values.sum()} readings, seed ${Campaign.seed}")
            histogram.forEach { (outcome, count) -> println("  %9d %s".format(count, outcome)) }
        }
    })

private const val PLACES_PER_DISK = 64

/** A byte of a physical file, or the length at which it is cut. */
private data class Place(val file: Path, val offset: Int)

private fun serialRecords() = DamagedMultifile.of("s07-keyval.sion")

private fun parallelRecords() = DamagedMultifile.of("p11-keyval-two-files.sion", "p11-keyval-two-files.sion.000001")

private val MULTIFILES: Map<String, () -> DamagedMultifile> =
    mapOf(
        "one task in one file" to { DamagedMultifile.of("p01-one-task.sion") },
        "serial with global ranks" to { DamagedMultifile.of("s04-global-ranks.sion") },
        "two chunks of no size" to { DamagedMultifile.of("s05-zero-chunk.sion") },
        "several files" to { DamagedMultifile.of("p04-five-two-files.sion", "p04-five-two-files.sion.000001") },
        "several files with records" to ::parallelRecords,
        "one file with a mapping" to { DamagedMultifile.of("m02-mapped-one-file.sion") },
        "format 4" to { DamagedMultifile.of("c01-format4.sion") },
        "format 3" to { DamagedMultifile.of("c02-format3.sion") },
        "format 2" to { DamagedMultifile.ofFormat2() },
        "big-endian meta data" to { DamagedMultifile.of("c03-big-endian-meta.sion") },
    )

private fun metaDataPlaces(multifile: DamagedMultifile): List<Place> =
    multifile.model.open(multifile.path).files.flatMap { file ->
        val metaOne = 0 until file.metaOneEnd().toInt()
        val metaTwoAndMapping = file.metaTwoStart().toInt() until multifile.bytesOf(file.path).size
        (metaOne + metaTwoAndMapping).map { Place(file.path, it) }
    }

private fun recordHeaderPlaces(multifile: DamagedMultifile): List<Place> =
    multifile.model.open(multifile.path).tasks.flatMap { task ->
        task.records().orEmpty().flatMap { record ->
            (record.position - 16 until record.position).map { Place(task.path, task.offset(it).toInt()) }
        }
    }

private fun lengths(multifile: DamagedMultifile): List<Place> =
    multifile.model.open(multifile.path).files.flatMap { file ->
        multifile
            .bytesOf(file.path)
            .indices
            .reversed()
            .map { Place(file.path, it) }
    }

private fun GuardedReading.trySetting(multifile: DamagedMultifile, place: Place) {
    val original = multifile.bytesOf(place.file)[place.offset]
    for (difference in 1..255) {
        val value = (original + difference).toByte()
        multifile.setByte(place.file, place.offset, value)
        explaining("byte ${place.offset} of ${place.file} is $value") {
            readWhole()
            if (place.offset !in PREFIX) readTask(difference % multifile.taskCount)
        }
    }
    multifile.setByte(place.file, place.offset, original)
}

/** A prefix concerns no task. */
private val PREFIX = 64 until 1056

private fun GuardedReading.tryCutting(multifile: DamagedMultifile, place: Place) {
    val intact = multifile.bytesOf(place.file)
    multifile.replace(place.file, intact.copyOf(place.offset))
    explaining("${place.file} is cut to ${place.offset} bytes") {
        readWhole()
        readTask(place.offset % multifile.taskCount)
    }
    multifile.replace(place.file, intact)
}

private fun explaining(damage: String, read: () -> Unit) {
    try {
        read()
    } catch (failure: Throwable) {
        throw AssertionError("$damage: ${failure.message}", failure)
    }
}
