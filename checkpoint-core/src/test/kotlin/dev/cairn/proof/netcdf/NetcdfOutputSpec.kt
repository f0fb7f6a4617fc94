package dev.cairn.proof.netcdf

import dev.cairn.NetcdfOutput
import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.event.ExitCode
import dev.cairn.faces.RecordsInJava
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.simulate
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.netcdf.NetcdfWriter
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.stripe.Hyperslab
import dev.cairn.state.ElementType
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.runBlocking
import java.nio.ByteBuffer
import java.nio.file.Path

class NetcdfOutputSpec :
    FunSpec({
        quietly()
        val unbroken = runBlocking { fileOf(SimulatedDisk().withParent().also { Waves().run(it, RankPlan(2)) }) }

        test("a reader finds what the ranks put, and the fill value where none did") {
            val disk = SimulatedDisk().withParent()
            Waves().run(disk, RankPlan(3)) shouldBe List(3) { ExitCode.FINISHED }
            disk.openFiles() shouldBe emptyList()
            NetcdfReader.open(disk.host("any"), Waves.FILE).use { file ->
                file.recordCount() shouldBe 7
                file.doubles("y") shouldBe listOf(0.0, 2.0, 4.0, 6.0, 8.0)
                file.doubles("time").map { Math.round(10 * it).toInt() } shouldBe listOf(1, 4, 7, 10, 13, 16, 19)
                file.doubles("temperature").let { all ->
                    all[3 * 35] shouldBe 5.0
                    all[3 * 35 + 34] shouldBe 51.0
                }
                file.doubles("marks").filterIndexed { index, _ -> index % 35 == 34 } shouldBe
                    List(7) { 3.0 * it }
                file.doubles("probes").drop(2 * 9).take(9) shouldBe
                    listOf(-127.0, -127.0, 1.0, 2.0, -127.0, -127.0, -127.0, -127.0, -127.0)
            }
        }

        test("fields and numbers are variables of the file") {
            val file = Waves.FILE
            val disk = SimulatedDisk().withParent()
            ranks(3) {
                simulate("heat", arrayOf("--dir", "/run/heat.cairn"), files = disk.host(host)) {
                    // region output
                    val u by doubles(rows = 8, columns = 6) { i, j -> 10.0 * i + j }
                    var time by replicated(0.0)
                    val out by netcdf(file) {
                        attribute("title", "heat in a plate")
                        variable("time", units = "s") { time }
                        variable(u, "temperature", units = "K")
                    }
                    for (step in steps(until = 20)) {
                        time += 0.1
                        if (step % 5 == 0L) out.append()
                    }
                    // endregion
                }
            }
            NetcdfReader.open(disk.host("any"), file).use {
                it.recordCount() shouldBe 4
                it
                    .spec()
                    .variable("temperature")
                    .get()
                    .dimensions()
                    .map { each -> each.name() } shouldBe
                    listOf("time", "y", "x")
            }
        }

        test("a program in Java lists its cells and rows, and gets the numbers of its records") {
            val disk = SimulatedDisk().withParent()
            RecordsInJava.write(RankPlan(3), disk.host("any"), Path.of("/run/records.cairn"), Waves.FILE)
            NetcdfReader.open(disk.host("any"), Waves.FILE).use {
                it.doubles("v") shouldBe listOf(0.0, 1.0, 2.0, 10.0, 11.0, 12.0)
                it.doubles("twice") shouldBe listOf(0.0, 2.0, 4.0, 0.0, 2.0, 4.0)
            }
        }

        test("the file depends neither on the number of ranks, nor on their hosts, nor on when they save") {
            for ((count, every) in listOf(1 to 4, 3 to 100, 5 to 1, 8 to 7)) {
                val disk = SimulatedDisk().withParent()
                Waves().run(disk, RankPlan(count).withHosts { "node${it % 2}" }, "--every", "$every")
                fileOf(disk) shouldBe unbroken
            }
        }

        test("the file is the same if what is put waits in logs, of which nothing is left") {
            for ((count, every) in listOf(1 to 4, 3 to 100, 5 to 1, 8 to 7)) {
                val disk = SimulatedDisk().withParent()
                Waves(stage = Waves.STAGE)
                    .run(disk, RankPlan(count).withHosts { "node${it % 2}" }, "--every", "$every")
                fileOf(disk) shouldBe unbroken
                disk.host("node0").list(Waves.STAGE) shouldBe emptyList()
                disk.openFiles() shouldBe emptyList()
            }
        }

        test("a save on local disks holds what waits, and does not wait until it is in the file") {
            for (stage in listOf(null, Waves.STAGE)) {
                val disk = SimulatedDisk().withParent()
                val waves = Waves(stage = stage)
                val local = arrayOf("--every", "5", "--wait", "local", "--local", "/run/local", "--drain", "none")
                runCatching {
                    waves.run(disk, RankPlan(3).withHosts { "node0" }, *local) {
                        check(it != 16L) { "killed" }
                    }
                }.isFailure shouldBe true
                NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.recordCount() shouldBe 0 }
                waves.run(disk, RankPlan(2).withHosts { "node0" }, *local) {
                    if (it ==
                        15L
                    ) {
                        NetcdfReader.open(disk.host("any"), Waves.FILE).use { file ->
                            file.recordCount() shouldBe 0
                        }
                    }
                    check(it >= 15) { "the run should go on from its last save" }
                }
                fileOf(disk) shouldBe unbroken
            }
        }

        test("killed at any step, and started again on other ranks, it is the file of an unbroken run") {
            withRandom { random ->
                repeat(20) {
                    val disk = SimulatedDisk().withParent()
                    runBlocking {
                        repeat(random.nextInt(1, 4)) {
                            val last = random.nextLong(20)
                            val every = "${random.nextInt(1, 9)}"
                            runCatching {
                                Waves().run(disk, RankPlan(random.nextInt(1, 6)), "--every", every) {
                                    check(it != last) { "killed" }
                                }
                            }
                        }
                        Waves().run(disk, RankPlan(random.nextInt(1, 6)))
                    }
                    fileOf(disk) shouldBe unbroken
                }
            }
        }

        test("a record counts as soon as it is flushed, and is taken back if no save follows") {
            val disk = SimulatedDisk().withParent()
            runCatching {
                Waves().run(disk, RankPlan(2), "--every", "10") {
                    if (it == 16L) state.netcdfs.single().flush()
                    check(it != 17L) { "killed" }
                }
            }
            NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.recordCount() shouldBe 6 }
            Waves().run(disk, RankPlan(3))
            fileOf(disk) shouldBe unbroken
        }

        test("records of a save that does not block the program count when it is committed, and go on elsewhere") {
            val disk = SimulatedDisk().withParent()

            suspend fun Communicator.appendAndSave(step: Long) {
                var out: NetcdfOutput? = null
                val cells = DoubleArray(3) { 10.0 * rank + step }
                checkpoints(Path.of("/run/own.cairn"), files = disk.host(host)) {
                    out =
                        netcdf(Waves.FILE, disk.host(host)) {
                            variable("v", Shape.of(3L * size), ElementType.DOUBLE) {
                                block(Box.of(longArrayOf(3L * rank), longArrayOf(3)), cells)
                            }
                        }.named("out").value
                }.use { checkpoints ->
                    checkpoints.restore()
                    out!!.append()
                    checkpoints.saveAsync(step)
                    out.recordCount shouldBe step - 1
                    checkpoints.awaitSaves()
                    NetcdfReader.open(disk.host(host), Waves.FILE).use { it.recordCount() shouldBe step }
                }
            }
            ranks(2) { appendAndSave(1) }
            ranks(2) { appendAndSave(2) }
            NetcdfReader.open(disk.host("any"), Waves.FILE).use {
                it.doubles("v") shouldBe listOf(1.0, 1.0, 1.0, 11.0, 11.0, 11.0, 2.0, 2.0, 2.0, 12.0, 12.0, 12.0)
            }
        }

        test("cells that were put replace the fill values of their records, however little memory there is") {
            for (memory in listOf(1L, 150, 400, 1000)) {
                withClue("$memory bytes of memory") { putsOf(Concentrators.perHost(1), memory, cellCount = 100) }
            }
        }

        test("cells that were put replace fill values that a rank on another host has") {
            for (first in 0..1) {
                withClue("rank $first begins") {
                    putsOf(Concentrators.perHost(1).near(), memory = 16L shl 20, cellCount = 600_000, first)
                }
            }
        }

        test("a save does not succeed while the file is away, although it has no new records for it") {
            val disk = SimulatedDisk().withParent()
            oneVariable(disk) { out, rank ->
                out.append()
                out.flush()
                if (rank == 0) disk.host("any").delete(Waves.FILE)
            }.distinct() shouldBe listOf(ExitCode.UNSAVED)
        }

        test("an append writes what waits if that is more than the memory") {
            val counts = mutableListOf<Long>()
            oneVariable(memory = 100) { out, rank ->
                repeat(7) {
                    out.append()
                    if (rank == 0) counts += out.recordCount
                }
            }
            // A record has 64 bytes, and two ranks may keep 200: the fourth one fills it, and the fifth append writes.
            counts shouldBe listOf(0L, 0, 0, 0, 4, 4, 4)
        }

        test("cells that two ranks put are refused on all") {
            val failure =
                shouldThrow<RunFailedException> {
                    oneVariable { out, _ ->
                        out.append()
                        out.put("v", 0, Box.of(longArrayOf(2), longArrayOf(2)), doubleArrayOf(1.0, 2.0))
                        out.flush()
                    }
                }
            failure.message shouldContain
                "record 0 of variable 'v' in ${Waves.FILE}: the box [2..4) of rank 0 and the box [2..4) of rank 1 " +
                "overlap in [2..4)"
        }

        test("a value that the type of its variable cannot have is refused where it is put") {
            val failure =
                shouldThrow<RunFailedException> {
                    val box = Box.of(longArrayOf(1), longArrayOf(2))
                    oneVariable { out, _ -> out.put("few", 0, box, intArrayOf(1, 128)) }
                }
            failure.message shouldContain
                "variable 'few' has the type BYTE, which cannot have 128, the value for cell [2] of record 0. " +
                "Declare it with a wider type, or put other values"
        }

        test("ranks that append in other steps are refused") {
            val failure =
                shouldThrow<RunFailedException> {
                    oneVariable { out, rank ->
                        out.append()
                        if (rank == 1) out.append()
                        out.flush()
                    }
                }
            failure.message shouldContain
                "has appended 1 records, but others between 1 and 2. Let all ranks append in the same steps"
        }

        test("an output whose declaration has changed is not continued") {
            val disk = SimulatedDisk().withParent()
            oneVariable(disk) { out, _ -> out.append() }
            val failure = shouldThrow<RunFailedException> { oneVariable(disk, units = "K") { out, _ -> out.append() } }
            failure.message shouldContain
                "declare what the file has, or set lost-outputs = begin-anew, and the output continues"
        }

        test("constants that have changed are not continued with") {
            val disk = SimulatedDisk().withParent()
            Waves().run(disk, RankPlan(2))
            val y = NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.layout().begin("y") }
            disk.host("any").open(Waves.FILE, Access.READ_WRITE).use { it.write(y, ByteBuffer.wrap(byteArrayOf(1))) }
            shouldThrow<RunFailedException> { Waves(until = 40).run(disk, RankPlan(2)) }.message shouldContain
                "the file has other values of the constant 'y' than the program declares"
        }

        test("a file that another program has changed is not continued") {
            val disk = SimulatedDisk().withParent()
            oneVariable(disk) { out, _ -> out.append() }
            disk.host("any").open(Waves.FILE, Access.READ_WRITE).use {
                it.write(it.size() - 1, ByteBuffer.wrap(byteArrayOf(1)))
            }
            shouldThrow<RunFailedException> { oneVariable(disk) { out, _ -> out.append() } }.message shouldContain
                "has other bytes before that length"
        }

        test("an output that was replaced while the program runs is not gone on with") {
            val disk = SimulatedDisk().withParent()
            val host = disk.host("any")
            val failure =
                shouldThrow<RunFailedException> {
                    oneVariable(disk) { out, rank ->
                        out.append()
                        out.flush()
                        if (rank == 0) NetcdfWriter.open(host, Waves.FILE).use { it.cutBack(0) }
                        out.append()
                        out.flush()
                    }
                }
            failure.message shouldContain
                "has 0 records and should have the 1 of this program: it was changed or replaced by another program"
        }

        test("an output that is lost begins anew with the first record after the checkpoint, if that is asked for") {
            val disk = SimulatedDisk().withParent()

            suspend fun count(until: Long, vararg arguments: String) =
                ranks(2) {
                    simulate("count", arrayOf("--dir", "/run/count.cairn", *arguments), files = disk.host(host)) {
                        var n by replicated(0L)
                        val out by netcdf(Waves.FILE) { variable("n") { n.toDouble() } }
                        for (step in steps(until)) {
                            n++
                            out.append()
                        }
                    }
                }
            count(until = 3)
            disk.host("any").delete(Waves.FILE)
            count(until = 5, "--lost-outputs", "begin-anew")
            NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.doubles("n") shouldBe listOf(4.0, 5.0) }
            // The magic, and the name of the variable in the header, which has the length 1 before it.
            for ((place, until) in listOf(0L to 7L, headerOf(disk).indexOf("n\u0000\u0000\u0000").toLong() to 9L)) {
                disk.host("any").open(Waves.FILE, Access.READ_WRITE).use {
                    it.write(place, ByteBuffer.wrap("x".encodeToByteArray()))
                }
                shouldThrow<RunFailedException> { count(until) }.message shouldContain
                    "set lost-outputs = begin-anew, and the output continues without what it had"
                count(until, "--lost-outputs", "begin-anew")
                NetcdfReader.open(disk.host("any"), Waves.FILE).use {
                    it.doubles("n") shouldBe listOf(until - 1.0, until.toDouble())
                }
            }
        }

        test("a program with its own loop that restores twice without a checkpoint begins anew twice") {
            val disk = SimulatedDisk().withParent()
            ranks(2) {
                var out: NetcdfOutput? = null
                val cells = DoubleArray(2)
                checkpoints(Path.of("/run/own.cairn"), files = disk.host(host)) {
                    out =
                        netcdf(Waves.FILE, disk.host(host)) {
                            variable("v", Shape.of(2L * size), ElementType.DOUBLE) {
                                block(Box.of(longArrayOf(2L * rank), longArrayOf(2)), cells)
                            }
                        }.named("out").value
                }.use { checkpoints ->
                    for (round in 1..2) {
                        checkpoints.restore()
                        repeat(round) { out!!.append() }
                        if (round == 1) out!!.flush()
                    }
                    checkpoints.save(1)
                }
            }
            NetcdfReader.open(disk.host("any"), Waves.FILE).use { it.recordCount() shouldBe 2 }
        }

        test("ranks that declare other constants are refused") {
            val disk = SimulatedDisk().withParent()
            shouldThrow<RunFailedException> {
                ranks(2) {
                    val own = rank.toDouble()
                    simulate("one", arrayOf("--dir", "/run/one.cairn"), files = disk.host(host)) {
                        val out by netcdf(Waves.FILE) { constant("x", doubleArrayOf(own)) }
                        for (step in steps(until = 1)) out.flush()
                    }
                }
            }.message shouldContain "do not declare the same state"
        }

        test("a later put of the same rank replaces cells of an earlier one") {
            val disk = SimulatedDisk().withParent()
            oneVariable(disk) { out, rank ->
                out.append()
                if (rank == 0) {
                    out.put("v", 0, Box.of(longArrayOf(1), longArrayOf(2)), doubleArrayOf(7.0, 7.0))
                    out.put("v", 0, Box.of(longArrayOf(2), longArrayOf(1)), doubleArrayOf(9.0))
                }
            }
            NetcdfReader.open(disk.host("any"), Waves.FILE).use {
                it.doubles("v").take(4) shouldContainExactly listOf(0.0, 7.0, 9.0, 3.0)
            }
        }
    })

private fun fileOf(disk: SimulatedDisk): List<Byte> = disk.host("any").bytesOf(Waves.FILE).toList()

private fun NetcdfReader.doubles(variable: String): List<Double> = readDoubles(variable, Hyperslab.WHOLE).toList()

/** Two ranks on two hosts put all cells of a record in turn, and save in the background. */
private suspend fun putsOf(concentrators: Concentrators, memory: Long, cellCount: Int, first: Int = 0) {
    val disk = SimulatedDisk().withParent()
    val all = Box.of(longArrayOf(0), longArrayOf(cellCount.toLong()))
    ranks(RankPlan(count = 2, hosts = { "node$it" })) {
        var out: NetcdfOutput? = null
        checkpoints(Path.of("/run/own.cairn"), files = disk.host(host)) {
            out =
                netcdf(Waves.FILE, disk.host(host)) {
                    this.concentrators = concentrators
                    this.memory = memory
                    variable("probes", NetcdfType.BYTE, Shape.of(cellCount.toLong()))
                }.named("out").value
        }.use { checkpoints ->
            checkpoints.restore()
            for (record in 0L..2) {
                val cells = ByteArray(cellCount) { (record + 1).toByte() }
                if (rank == ((record + first) % 2).toInt()) out!!.put("probes", record, all, cells)
            }
            checkpoints.saveAsync(1)
            checkpoints.awaitSaves()
        }
    }
    NetcdfReader.open(disk.host("any"), Waves.FILE).use { file ->
        file.doubles("probes").chunked(cellCount).map { it.distinct() } shouldBe
            listOf(listOf(1.0), listOf(2.0), listOf(3.0))
    }
}

/** Two ranks with a variable of eight cells, whose numbers are their values. */
private suspend fun oneVariable(
    disk: SimulatedDisk = SimulatedDisk().withParent(),
    units: String? = null,
    memory: Long = 1 shl 20,
    body: suspend (NetcdfOutput, rank: Int) -> Unit,
) = ranks(2) {
    simulate("one", arrayOf("--dir", "/run/one.cairn"), files = disk.host(host)) {
        val v by doubles(Decomposition.rows(Shape.of(8), size)) { (i) -> i.toDouble() }
        val out by netcdf(Waves.FILE) {
            this.memory = memory
            variable(v, "v", units)
            variable("few", NetcdfType.BYTE, Shape.of(4))
        }
        for (step in steps(until = 1)) body(out, rank)
    }
}

private fun headerOf(disk: SimulatedDisk): String =
    disk.host("any").open(Waves.FILE, Access.READ).use { file ->
        ByteBuffer
            .allocate(file.size().toInt())
            .also { file.readFully(0, it) }
            .array()
            .toString(Charsets.ISO_8859_1)
    }
