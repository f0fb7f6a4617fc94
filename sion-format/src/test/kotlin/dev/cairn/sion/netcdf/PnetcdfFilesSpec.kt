package dev.cairn.sion.netcdf

import dev.cairn.sion.store.fixture.Place
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.fixture.simulatedPlace
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** Files that PnetCDF wrote: read, and written again byte for byte. */
class PnetcdfFilesSpec :
    FunSpec({
        fun <T> Place.opened(file: PnetcdfFile, block: (NetcdfReader) -> T): T =
            NetcdfReader.open(store, file("${file.name}.nc", file.bytes)).use(block)

        PnetcdfFile.ALL.forEach { file ->
            test("$file: the same header is written again") {
                simulatedPlace().opened(file) {
                    val header = it.layout().header(it.recordCount())
                    header.remaining().toLong() shouldBe it.layout().headerSize()
                    ByteArray(header.remaining()).also(header::get) shouldBe
                        file.bytes.copyOf(it.layout().headerSize().toInt())
                }
            }

            test("$file: the same calls write the same file") {
                val place = simulatedPlace()
                val (layout, records) = place.opened(file) { it.layout() to it.recordCount() }

                val copy = place.path("copy.nc")
                place.store.create(copy).use { it.write(0, layout.header(0)) }
                NetcdfWriter.openForCells(place.store, copy).use { writer ->
                    file.writes.forEach { writer.write(it.variable, it.section, it.values) }
                    writer.force()
                    writer.raiseRecordCount(records)
                }

                place.store.bytesOf(copy) shouldBe file.bytes
            }
        }

        test("the places that PnetCDF 1.12 and 1.14 chose are those of a plan with its alignment") {
            for (file in PnetcdfFile.ALL.filterNot { it.name == "kinds-1.10" || it.name == "redef-1.14" }) {
                simulatedPlace().opened(file) {
                    val first = it.spec().variables()[0].name()
                    val plan =
                        NetcdfLayout.plan(
                            it.spec(),
                            NetcdfSpec.Spacing.NONE.withAlignment(it.layout().begin(first).toInt()),
                        )
                    plan.header(it.recordCount()) shouldBe it.layout().header(it.recordCount())
                }
            }
        }
    })
