package dev.cairn.sion.netcdf

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.fixture.simulatedPlace
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import kotlin.random.Random

/** Any file: what is written to any section is read from any other, and lies where the format says. */
@Tags(JDK_DEPENDENT)
class NetcdfFilesSpec :
    FunSpec({
        fun randomModel(random: Random): NetcdfModel {
            val spec = randomSpec(random, NetcdfFormat.values().random(random))
            return NetcdfModel(spec, if (spec.unlimitedDimension().isEmpty) 0 else random.nextLong(4))
        }

        fun randomSpacing(random: Random) =
            NetcdfSpec.Spacing.NONE
                .withHeaderReserve(random.nextLong(100))
                .withAlignment(4 * random.nextInt(1, 20))
                .withRecordAlignment(4 * random.nextInt(1, 20))

        test("any section of any file has the values that were written to it") {
            withRandom { random ->
                repeat(300) {
                    val model = randomModel(random)
                    val place = simulatedPlace()
                    model.write(
                        random,
                        place.store,
                        place.path("file.nc"),
                        NetcdfLayout.plan(model.spec, randomSpacing(random)),
                    )

                    NetcdfReader.open(place.store, place.path("file.nc")).use { file ->
                        file.spec() shouldBe model.spec
                        file.recordCount() shouldBe model.recordCount
                        model.spec.variables().forEach { variable ->
                            file.texts(variable, Hyperslab.WHOLE) shouldContainExactly
                                model.values.getValue(variable.name()).toList()
                            val section = randomSection(random, variable.shape(model.recordCount))
                            withClue("$variable $section") {
                                file.texts(variable, section) shouldContainExactly model.valuesOf(variable, section)
                            }
                        }
                    }
                }
            }
        }

        test("each cell lies where the format says") {
            withRandom { random ->
                repeat(300) {
                    val spec = randomModel(random).spec
                    val layout = NetcdfLayout.plan(spec, randomSpacing(random))
                    val records = if (spec.unlimitedDimension().isEmpty) 0L else 3L
                    val inRecords = spec.variables().filter { it.isRecordVariable }
                    val recordSize =
                        inRecords.singleOrNull()?.let { it.cellBytes() }
                            ?: inRecords.sumOf { (it.cellBytes() + 3) / 4 * 4 }
                    layout.recordSize() shouldBe recordSize
                    spec.variables().forEach { variable ->
                        val shape = variable.shape(records)
                        val inside = if (variable.isRecordVariable) shape.drop(1) else shape.toList()
                        val expected =
                            cellsOf(shape).flatMap { cell ->
                                val indices = if (variable.isRecordVariable) cell.drop(1) else cell.toList()
                                val record = if (variable.isRecordVariable) cell[0] else 0
                                val number = inside.indices.fold(0L) { sum, it -> sum * inside[it] + indices[it] }
                                val size = variable.type().size()
                                val first = layout.begin(variable.name()) + record * recordSize + number * size
                                first until first + size
                            }
                        val extents = layout.extents(variable.name(), Hyperslab.WHOLE, records)
                        extents.flatMap { it.offset() until it.end() } shouldContainExactly expected
                        layout.valueCount(variable.name(), Hyperslab.WHOLE, records) * variable.type().size() shouldBe
                            expected.size
                    }
                }
            }
        }

        test("the same description and the same values give the same bytes") {
            withRandom { random ->
                val model = randomModel(random)
                val seed = random.nextInt()
                val files =
                    List(2) {
                        val place = simulatedPlace()
                        model.write(Random(seed), place.store, place.path("file.nc"))
                        place.store.bytesOf(place.path("file.nc"))
                    }
                files[0] shouldBe files[1]
            }
        }

        test("a header reserve and alignments move the data and nothing else") {
            val spec =
                NetcdfSpec
                    .builder(NetcdfFormat.CDF_2)
                    .unlimited("time")
                    .dimension("x", 3)
                    .variable("fixed", NetcdfType.BYTE, "x")
                    .variable("records", NetcdfType.INT, "time", "x")
                    .build()
            val tight = NetcdfLayout.plan(spec)
            tight.begin("fixed") shouldBe tight.headerSize()
            tight.begin("records") shouldBe tight.headerSize() + 4

            val wide = NetcdfLayout.plan(spec, NetcdfSpec.Spacing(1000, 512, 4096))
            wide.headerSize() shouldBe tight.headerSize()
            wide.begin("fixed") shouldBe 1536
            wide.begin("records") shouldBe 4096
            wide.size(2) shouldBe 4096 + 2 * 12
        }
    })

private fun Variable.cellBytes(): Long = shape(1).fold(type().size().toLong(), Long::times)
