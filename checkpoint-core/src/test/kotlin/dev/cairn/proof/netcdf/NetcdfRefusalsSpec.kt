package dev.cairn.proof.netcdf

import dev.cairn.Checkpoints
import dev.cairn.NetcdfBuilder
import dev.cairn.NetcdfOutput
import dev.cairn.Simulation
import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.event.CheckpointException
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.simulate
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.stripe.Hyperslab
import dev.cairn.state.ElementType
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger

/** What a program with a NetCDF file may not do, and when it is told. */
class NetcdfRefusalsSpec :
    FunSpec({
        quietly()

        /** On three ranks. */
        suspend fun run(
            declare: NetcdfBuilder.(rank: Int) -> Unit,
            disk: SimulatedDisk = SimulatedDisk().withParent(),
            store: String = "one.cairn",
            body: suspend Simulation.(NetcdfOutput) -> Unit,
        ) = ranks(3) {
            simulate("one", arrayOf("--dir", "/run/$store"), files = disk.host(host)) {
                val own = rank
                val out by netcdf(FILE) { declare(own) }
                for (step in steps(until = 1)) body(out)
            }
        }

        fun NetcdfBuilder.cells(rank: Int, size: Long = 2) =
            variable("v", Shape.of(6), ElementType.DOUBLE) {
                block(Box.of(longArrayOf(2L * rank), longArrayOf(size)), DoubleArray(size.toInt()))
            }

        suspend fun refused(
            declare: NetcdfBuilder.(rank: Int) -> Unit,
            body: suspend Simulation.(NetcdfOutput) -> Unit,
        ): Throwable? = shouldThrow<RunFailedException> { run(declare, body = body) }.cause

        test("cells that no rank has are refused at the first append, on all ranks") {
            fun NetcdfBuilder.none() = variable("v", Shape.of(6), ElementType.DOUBLE) { }
            val cause = refused({ if (it != 1) cells(it) else none() }) { it.append() }
            cause.shouldBeInstanceOf<CheckpointException.InvalidDeclaration>().message shouldContain
                "record 0 of variable 'v' in $FILE: no rank has the cell (2); missing are at least 2 of the 6 " +
                "cells of the shape 6."
        }

        test("cells that two ranks have are refused at the first append, with both ranks") {
            val cause = refused({ cells(it, size = if (it == 0) 3 else 2) }) { it.append() }
            cause.shouldBeInstanceOf<CheckpointException.InvalidDeclaration>().message shouldContain
                "record 0 of variable 'v' in $FILE: the box [0..3) of rank 0 and the box [2..4) of rank 1 overlap " +
                "in [2..3)"
        }

        test("cells that are missing in a later record are refused when it is flushed") {
            var size = 2L
            val cause =
                refused({ rank ->
                    variable("v", Shape.of(6), ElementType.DOUBLE) {
                        val own = if (rank == 2) size else 2
                        block(Box.of(longArrayOf(2L * rank), longArrayOf(own)), DoubleArray(own.toInt()))
                    }
                }) { out ->
                    repeat(3) { out.append() }
                    ranks.barrier()
                    size = 1
                    out.append()
                    out.flush()
                }
            cause?.message.orEmpty() shouldContain "record 3 of variable 'v' in $FILE: no rank has the cell (5)"
        }

        test("cells of single puts that two ranks make are named, with both ranks") {
            val probes: NetcdfBuilder.(Int) -> Unit = {
                variable("other", NetcdfType.BYTE, Shape.of(3), dimensions = listOf("b"))
                variable("probes", NetcdfType.INT, Shape.of(2, 5))
            }
            val cause =
                refused(probes) { out ->
                    if (rank > 0) out.put("probes", 4, Box.of(longArrayOf(1, 3), longArrayOf(1, 1)), intArrayOf(rank))
                    out.flush()
                }
            cause?.message.orEmpty() shouldContain
                "cell [1, 3] of record 4 of variable 'probes', and perhaps others, would be written by both ranks " +
                "1 and 2. Let each have one writer"
        }

        val steps: NetcdfBuilder.(Int) -> Unit = {
            memory = 10
            variable("step") { 1.0 }
            variable("probes", NetcdfType.INT, Shape.of(2))
        }

        test("cells of two ranks are refused at the append that would write them, and not tried again") {
            val cause =
                refused(steps) { out ->
                    out.append()
                    out.put("probes", 0, Box.of(longArrayOf(1), longArrayOf(1)), intArrayOf(rank))
                    repeat(2) { out.append() }
                }
            cause?.message.orEmpty() shouldContain "cell [1] of record 0 of variable 'probes'"
        }

        test("a record that was just appended takes more cells, however little memory there is") {
            val disk = SimulatedDisk().withParent()
            val small: NetcdfBuilder.(Int) -> Unit = {
                steps(it)
                memory = 1
            }
            run(small, disk) { out ->
                repeat(4) {
                    val record = out.append()
                    if (rank == 0) out.put("probes", record, Box.of(longArrayOf(0), longArrayOf(1)), intArrayOf(it))
                }
            }
            NetcdfReader.open(disk.host("any"), FILE).use {
                it.readDoubles("probes", Hyperslab.WHOLE).toList().filterIndexed { cell, _ -> cell % 2 == 0 } shouldBe
                    listOf(0.0, 1.0, 2.0, 3.0)
            }
        }

        test("a file whose end was cut off is refused at the next flush, with its sizes") {
            val disk = SimulatedDisk().withParent()
            val cause =
                shouldThrow<RunFailedException> {
                    run(steps, disk) { out ->
                        out.append()
                        out.flush()
                        if (rank == 0) state.files.open(FILE, Access.READ_WRITE).use { it.resize(it.size() - 1) }
                        out.append()
                        out.flush()
                    }
                }.cause
            cause?.message.orEmpty() shouldContain "but its 1 records need"
        }

        test("a record far behind the others is refused") {
            refused(
                steps,
            ) { it.put("probes", Long.MAX_VALUE / 2, Box.of(longArrayOf(0), longArrayOf(1)), intArrayOf(1)) }
                ?.message
                .orEmpty() shouldContain "was not appended yet"
            val puts: NetcdfBuilder.(Int) -> Unit = { variable("probes", NetcdfType.INT, Shape.of(2)) }
            refused(
                puts,
            ) { it.put("probes", Long.MAX_VALUE / 2, Box.of(longArrayOf(0), longArrayOf(1)), intArrayOf(1)) }
                ?.message
                .orEmpty() shouldContain "Count records from 0, one after the other"
        }

        test("a directory for logs that cannot be made is refused with its host, and what it should be") {
            val cause = refused({ rank -> steps(rank).also { stage = Path.of("/nowhere/logs") } }) { }
            cause?.message.orEmpty() shouldContain "logs cannot be kept in /nowhere/logs on"
        }

        test("records for which a disk has no room wait, and a later append writes them") {
            val disk = SimulatedDisk().withParent()
            val door = FullAtTimes(disk.host("any"))
            ranks(3) {
                simulate("full", arrayOf("--dir", "/run/full.cairn"), files = door) {
                    val own = rank
                    val out by netcdf(FILE) { steps(own) }
                    for (step in steps(until = 8)) {
                        ranks.barrier()
                        door.isFull = step in 2..5
                        ranks.barrier()
                        out.append()
                    }
                }
            }
            door.refusedCount.get() shouldBeGreaterThan 1
            NetcdfReader.open(disk.host("any"), FILE).use { it.recordCount() shouldBe 8 }
        }

        test("concentrators that are no ranks of the program are refused when they are declared") {
            refused({ concentrators = Concentrators.ranks(0, 3) }) { }?.message shouldBe
                "the output $FILE: ranks:0+3, but the largest rank is 2. Name " +
                "other ranks"
        }

        test("values that are in no array are refused in the words of the program") {
            val probes: NetcdfBuilder.(Int) -> Unit = { variable("probes", NetcdfType.INT, Shape.of(2)) }
            val box = Box.of(longArrayOf(0), longArrayOf(2))
            refused(probes) { it.put("probes", 0, box, listOf(1, 2)) }?.message shouldBe
                "the values of variable 'probes' are in no array of a primitive type. Put them into one, such as a " +
                "DoubleArray, which is double[] in Java"
        }

        test("a block outside of its variable is refused in the words of the program") {
            refused({ cells(it, size = 9) }) { it.append() }?.message.orEmpty() shouldContain
                "variable 'v' has the shape 6, but a block of it is [0..9)"
        }

        test("rows without an owner, and rows of two ranks, are refused with their ids") {
            fun rowsOf(ids: (rank: Int) -> List<Long>): NetcdfBuilder.(Int) -> Unit =
                { rank -> table("star", 3, { ids(rank) }, { it }) { variable("x") { it.toDouble() } } }

            val missing = refused(rowsOf { rank -> listOf(rank.toLong()).filter { it < 2 } }) { it.append() }
            missing?.message.orEmpty() shouldContain
                "record 0 of variable 'x' in $FILE: no rank has the cell (2)"
            refused(rowsOf { rank -> if (rank == 2) listOf(0, 2) else listOf(rank.toLong()) }) { it.append() }
                ?.message
                .orEmpty() shouldContain "the box [0..1) of rank 0 and the box [0..1) of rank 2 overlap"
        }

        test("a second program does not get the file while the first one runs") {
            val disk = SimulatedDisk().withParent()
            run({ cells(it) }, disk) { out ->
                if (rank == 0) {
                    shouldThrow<RunFailedException> { run({ cells(it) }, disk, "two.cairn") { it.append() } }
                        .cause
                        .shouldBeInstanceOf<CheckpointException.InUse>()
                        .message shouldContain
                        "$FILE: the output is in use, since this program itself writes it already: "
                }
                out.append()
            }
            NetcdfReader.open(disk.host("any"), FILE).use { it.recordCount() shouldBe 1 }
            disk.host("any").list(PARENT).map { "${it.fileName}" } shouldNotContain "${FILE.fileName}.lock"
            run({ cells(it) }, disk, "two.cairn") { it.append() }
        }

        suspend fun ownLoop(body: suspend (Checkpoints, NetcdfOutput) -> Unit) =
            ranks(2) {
                val disk = SimulatedDisk().withParent()
                var out: NetcdfOutput? = null
                val opened =
                    checkpoints(Path.of("/run/own.cairn"), files = disk.host(host)) {
                        out = netcdf(FILE, disk.host(host)) { variable("n") { 1.0 } }.named("out").value
                    }
                opened.use { body(it, out!!) }
            }

        test("a save before it is known whether the output continues is refused, and says what comes first") {
            shouldThrow<RunFailedException> { ownLoop { checkpoints, _ -> checkpoints.save(1) } }.message shouldContain
                "$FILE: it is not known yet whether the program continues this output. Call restore() before the " +
                "first save or flush"
        }

        test("an output whose checkpoints are closed takes nothing more") {
            for (late in listOf<suspend (NetcdfOutput) -> Unit>({ it.append() }, { it.flush() })) {
                shouldThrow<RunFailedException> {
                    ownLoop { checkpoints, out ->
                        checkpoints.restore()
                        out.append() shouldBe 0
                        out.append() shouldBe 1
                        checkpoints.close()
                        late(out)
                    }
                }.message shouldContain
                    "$FILE: the output has ended, since its simulation has, or its checkpoints are closed. Append, " +
                    "put and flush before"
            }
        }
    })

private val FILE = PARENT.resolve("one.nc")

/** A disk that has no room for the file while [isFull]. */
private class FullAtTimes(target: BlockStore) : ForwardingStore(target) {
    @Volatile var isFull = false
    val refusedCount = AtomicInteger()

    override fun onOperation(operation: BlockStore.Operation) {
        if (isFull && operation.kind() == BlockStore.Operation.Kind.WRITE && operation.path().startsWith(FILE)) {
            refusedCount.incrementAndGet()
            throw IOException("No space left on device")
        }
    }
}
