package dev.cairn.grid

import dev.cairn.event.ExitCode
import dev.cairn.haloExchange
import dev.cairn.java.BlockingRanks
import dev.cairn.java.BlockingSimulation
import dev.cairn.options.SimulationOptions
import dev.cairn.ranks.ranks
import dev.cairn.simulate
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldNotThrowAny
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** A halo that does not fit an array is refused where it meets the array, on every rank and by every face. */
class HaloSpec :
    FunSpec({
        val plane = Shape.of(3, 4)

        /** A halo, and what is said of it with an array of two dimensions. */
        val unfit =
            mapOf(
                Halo.of(1, 1).periodicIn(1, 2) to
                    "the halo 1x1, periodic in 1, 2 is periodic in dimension 2, but the array has 2 dimensions: " +
                    "they count from 0.",
                Halo.of(1, 2, 3) to
                    "the halo 1x2x3 has 3 widths, but the array has 2 dimensions: give one width for each, or one " +
                    "for all.",
                Halo.of(1).periodicIn(5) to
                    "the halo 1, periodic in 5 is periodic in dimension 5, but the array has 2 dimensions: " +
                    "they count from 0.",
            )

        for ((halo, refusal) in unfit) {
            fun refused(use: () -> Unit) = shouldThrow<IllegalArgumentException>(use).message shouldBe refusal

            test("$halo: an exchange is refused") {
                ranks(2) { refused { haloExchange(Decomposition.rows(plane, 2), halo) } }
                BlockingRanks.run(2) { refused { it.haloExchange(Decomposition.rows(plane, 2), halo) } }
            }

            test("$halo: a field is refused, also on a rank that has no part of it") {
                ranks(2) {
                    simulate("halos", files = SimulatedDisk().host(host)) {
                        val boxes = if (rank == 0) listOf(plane.box()) else emptyList()
                        refused { field(DoubleArray::class.java, plane, boxes, halo, create = null) }
                        refused { doubles(Decomposition.rows(plane, 2), halo) { 0.0 } }
                    } shouldBe ExitCode.FINISHED
                }
            }

            test("$halo: a field in Java is refused") {
                BlockingRanks.run(1) { ranks ->
                    val files = SimulatedDisk().host(ranks.host)
                    val options = SimulationOptions.DEFAULT
                    BlockingSimulation.simulate(ranks, "halos", emptyArray(), options, files) { sim ->
                        val rows = Decomposition.rows(plane, 1)
                        refused { sim.doubles(rows, halo) { 0.0 } }
                        refused { sim.field(DoubleArray::class.java, rows, halo) { DoubleArray(0) } }
                    } shouldBe ExitCode.FINISHED
                }
            }
        }

        test("one dimension is called one") {
            shouldThrow<IllegalArgumentException> { Halo.of(1, 1).around(Shape.of(3).box()) }.message shouldBe
                "the halo 1x1 has 2 widths, but the array has 1 dimension: give one width for each, or one for all."
        }

        test("a dimension that no array has is refused at once") {
            for (dimension in listOf(-1, Shape.MAX_DIMENSIONS)) {
                shouldThrow<IllegalArgumentException> { Halo.of(1).periodicIn(dimension) }.message shouldBe
                    "dimensions count from 0 to at most ${Shape.MAX_DIMENSIONS - 1}, so a halo cannot be periodic in " +
                    "$dimension."
            }
        }

        test("one width, and all dimensions periodic, fit any array") {
            for (halo in listOf(Halo.NONE, Halo.of(2), Halo.of(2).periodic(), Halo.of(2).periodicIn(0))) {
                for (dimensions in 1..Shape.MAX_DIMENSIONS) shouldNotThrowAny { halo.requireFor(dimensions) }
            }
            "${Halo.of(1, 2).periodic()}" shouldBe "1x2, periodic"
        }
    })
