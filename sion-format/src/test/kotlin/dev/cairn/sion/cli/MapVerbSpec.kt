package dev.cairn.sion.cli

import dev.cairn.sion.FileMapping
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.fixture.Fixture
import dev.cairn.sion.fixture.Fixtures
import dev.cairn.sion.fixture.ModelFile
import dev.cairn.sion.fixture.MultifileModel
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.readBytes
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** What `sion map` draws, compared with the table of bytes that it draws. */
class MapVerbSpec :
    FunSpec({
        val directory = tempdir().toPath()

        fun pictureOf(file: Path): Picture {
            val run = sion("map", file.toString())
            run.complaint shouldBe ""
            run.exitCode shouldBe 0
            return Picture(run.bytes)
        }

        Fixtures.all.filterNot { it.unreadable }.forEach { fixture ->
            test("every chunk of ${fixture.name} is as long as its bytes, and filled as far as they are") {
                val picture = pictureOf(fixture.file)
                val files = filesOf(fixture)
                val scale = 880.0 / files.maxOf(::longestBar)
                val rows =
                    files.filter { it.stride() > 0 }.flatMap { file ->
                        (0 until file.maxBlocks).map { file to it }
                    }
                picture.rows.size shouldBe rows.size
                picture.rows.zip(rows).forEach { (drawn, row) ->
                    withClue("${row.first.path}, block ${row.second}") {
                        drawn.shouldBeChunks(row.first, row.second, scale)
                    }
                }
            }

            test("the meta data of ${fixture.name} are drawn to the same scale") {
                val files = filesOf(fixture)
                val scale = 880.0 / files.maxOf(::longestBar)
                val expected =
                    files.flatMap {
                        listOf(
                            "meta" to it.metaOneEnd(),
                            "gap" to it.metaTwoStart() - it.blocksSize() - it.metaOneEnd(),
                        ) +
                            listOf("meta" to it.metaTwoEnd() - it.metaTwoStart(), "behind" to it.mappingSize())
                    }
                val drawn = expected.filter { it.second > 0 }
                val parts =
                    pictureOf(
                        fixture.file,
                    ).parts.filter { it.styles.first() in setOf("meta", "gap", "behind") }
                parts.map { it.styles.single() } shouldBe drawn.map { it.first }
                parts.map { it.width } shouldBeNearly drawn.map { maxOf(1.0, it.second * scale) }
            }
        }

        test("the head says how many of everything there are, and where the bytes are") {
            // The sums that siondump gives: 5 tasks, 5074 bytes in chunks of 12288; META1 has 1168 bytes, META2 160.
            val texts = pictureOf(bundled("s03-five-mixed.sion")).texts
            texts shouldContain "s03-five-mixed.sion"
            texts shouldContain "5 tasks, 3 blocks, 1 physical file, block size 512 bytes"
            texts shouldContain
                "5,074 bytes used, 41.3 % of the room in chunks; 7,214 bytes of holes, 1,332 of meta data, 368 of gaps"
            texts shouldNotContain "One column stands"
        }

        test("each chunk of the picture has a tooltip") {
            pictureOf(bundled("p05-local-comms.sion")).rows[2][2].title shouldBe
                "task 3, block 0: 800 of 1,024 bytes (78 %)"
        }

        test("of 10,000 tasks in 40 blocks, a column and a row are as long as their sum and their mean") {
            val picture = pictureOf(tenThousandTasks(directory))
            // 91 tasks a column and 3 blocks a row are the fewest that make at most 110 columns and 16 rows.
            picture.texts shouldContain
                "One column stands for 91 tasks. One row stands for 3 blocks, and shows their mean."
            picture.rows.size shouldBe 14
            val scale = 880.0 / LONGEST_BAR_OF_TEN
            picture.rows.forEachIndexed { row, drawn ->
                val blocks = (3 * row until minOf(40, 3 * row + 3)).toList()
                val columns = (0 until 10_000).chunked(91)
                drawn.filter { "hole" in it.styles }.map { it.width } shouldBeNearly columns.map { it.size * 2 * scale }
                val used = columns.map { tasks -> tasks.sumOf { task -> blocks.sumOf { bytesOfTen(task, it) } } }
                drawn.filter { "used" in it.styles }.map { it.width } shouldBeNearly
                    used.filter { it > 0 }.map { it * scale / blocks.size }
            }
        }

        test("of many files the first ones are drawn, and the picture says how to see the others") {
            val file = directory.resolve("many.sion")
            val spec = MultifileSpec.parallel(file).withBlockSize(64).withMapping(FileMapping.contiguous(20))
            MultifileWriter.create(spec, TaskRequest.equal(20, 64)).use { it.finish() }

            pictureOf(file).texts shouldContain
                "8 files more are not drawn. To see one alone, name it: many.sion.000012"
            pictureOf(directory.resolve("many.sion.000012")).texts shouldContain "file 0: 1 task, 1 block, 1,232 bytes"
        }

        test("a name may hold anything") {
            val file = directory.resolve("a<b>&'c\u0001.sion")
            MultifileWriter
                .create(
                    MultifileSpec.serial(file).withBlockSize(64),
                    TaskRequest.equal(1, 64),
                ).use { it.finish() }

            pictureOf(file).texts shouldContain "a<b>&'c?.sion"
        }

        test("the picture goes into a file, but never over a multifile") {
            val out = directory.resolve("x.svg")
            out.writeText("x".repeat(100_000))
            val five = bundled("s03-five-mixed.sion").toString()
            sion("map", "-o", out.toString(), five).exitCode shouldBe 0
            out.readText() shouldBe sion("map", five).text

            val run = sion("map", "-o", bundled("p04-five-two-files.sion").toString(), five)
            run.complaint shouldContain "is a multifile and not overwritten"
            run.exitCode shouldBe 1
        }

        test("what cannot be read is not drawn") {
            val run = sion("map", bundled("x01-never-closed.sion").toString())

            run.complaint shouldContain "the writer never closed this multifile"
            run.exitCode shouldBe 1
            run.bytes.size shouldBe 0
        }
    })

private const val LEFT = 96.0

/** Half of the last digit that a picture has. */
private const val ROUNDING = 0.00005001

private fun filesOf(fixture: Fixture): List<ModelFile> =
    MultifileModel(fixture.physicalFiles.values.associateWith { it.readBytes() }).open(fixture.file).files

private fun ModelFile.room(rank: Int): Long =
    if (version > 3) chunkSizes[rank] else (chunkSizes[rank] + blockSize - 1) / blockSize * blockSize

private fun ModelFile.stride(): Long = (0 until taskCount).sumOf { room(it) }

private fun ModelFile.blocksSize(): Long = stride() * maxBlocks

private fun ModelFile.mappingSize(): Long = path.readBytes().size - metaTwoEnd()

private fun longestBar(file: ModelFile): Long =
    maxOf(file.stride(), file.metaTwoStart() - file.blocksSize(), file.path.readBytes().size - file.metaTwoStart())

private fun List<Box>.shouldBeChunks(file: ModelFile, block: Int, scale: Double) {
    val roomy = (0 until file.taskCount).filter { file.room(it) > 0 }
    val starts = roomy.map { rank -> LEFT + scale * (0 until rank).sumOf { file.room(it) } }
    val used = roomy.map { file.bytesInBlocks[it].getOrElse(block) { 0 } }
    filter { "hole" in it.styles }.map { it.left } shouldBeNearly starts
    filter { "hole" in it.styles }.map { it.width } shouldBeNearly roomy.map { file.room(it) * scale }
    filter { "used" in it.styles }.map { it.left } shouldBeNearly starts.filterIndexed { index, _ -> used[index] > 0 }
    filter { "used" in it.styles }.map { it.width } shouldBeNearly used.filter { it > 0 }.map { it * scale }
    filter { "used" in it.styles }.map { it.styles.last() } shouldBe
        roomy.indices.filter { used[it] > 0 }.map { degreeOf(used[it], file.room(roomy[it])) }
}

private fun degreeOf(used: Long, room: Long): String =
    when {
        4 * used < room -> "little"
        2 * used < room -> "some"
        4 * used < 3 * room -> "more"
        used < room -> "most"
        else -> "full"
    }

private infix fun List<Double>.shouldBeNearly(expected: List<Double>) {
    size shouldBe expected.size
    zip(expected).forEach { (found, wanted) -> found shouldBe (wanted plusOrMinus ROUNDING) }
}

/** 10,000 tasks whose chunks hold 2 bytes each. */
private fun tenThousandTasks(directory: Path): Path {
    val file = directory.resolve("ten.sion")
    val spec = MultifileSpec.serial(file).withBlockSize(1).withForcePolicy(ForcePolicy.NEVER)
    MultifileWriter.create(spec, TaskRequest.equal(10_000, 2)).use { writer ->
        for (task in 0 until 10_000) {
            writer.task(task).append(ByteBuffer.allocate((0 until 40).sumOf { bytesOfTen(task, it) }))
        }
        writer.finish()
    }
    return file
}

/** Every hundredth task fills 39 blocks and half of the last one, the others a part of the first ones. */
private fun bytesOfTen(task: Int, block: Int): Int {
    val size = if (task % 100 == 0) 79 else task % 11
    return (size - 2 * block).coerceIn(0, 2)
}

/** META2 of 10,000 tasks in 40 blocks, and the empty mapping of a serial file. */
private const val LONGEST_BAR_OF_TEN = 8.0 * 10_000 * 41 + 4
