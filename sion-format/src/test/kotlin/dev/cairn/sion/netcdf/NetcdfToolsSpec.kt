package dev.cairn.sion.netcdf

import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.random.Random

/** NetCDF's own programs and Cairn write the same bytes, and read each other's values. */
class NetcdfToolsSpec :
    FunSpec({
        val store = FileBlockStore()
        val directory = tempdir().toPath()

        NetcdfFormat.values().forEach { format ->
            test("$format: ncgen makes the same file of the same description")
                .config(enabledOrReasonIf = { NetcdfTools.areThere() }) {
                    withRandom { random ->
                        repeat(30) { number ->
                            val spec = randomSpec(random, format, TYPES_OF_NCGEN.filter(format::has))
                            val theirs = directory.resolve("$format-theirs-$number.nc")
                            NetcdfTools.ncgen(cdl(spec), format, theirs)

                            val ours = directory.resolve("$format-ours-$number.nc")
                            NetcdfWriter.create(store, ours, NetcdfLayout.plan(spec)).use { file ->
                                spec.variables().forEach { file.fill(it.name(), Section.WHOLE) }
                            }
                            withClue(cdl(spec)) {
                                store.bytesOf(ours) shouldBe store.bytesOf(theirs)
                                NetcdfReader.open(store, theirs).use { it.spec() shouldBe spec }
                            }
                        }
                    }
                }
        }
    })

/** The ncgen of NetCDF 4.9.0 makes variables of type int64 into int in CDF-5. */
private val TYPES_OF_NCGEN = NetcdfType.values().toList() - NetcdfType.INT64
