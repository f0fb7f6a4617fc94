package dev.cairn.item

import dev.cairn.Columns
import dev.cairn.StateBuilder
import dev.cairn.checkpoint.describedColumns
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.house.needs
import dev.cairn.manifestOf
import dev.cairn.proof.format.PythonReader
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.refusal
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.stateBuilder
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** Columns of texts and of constants. */
class TextColumnsSpec :
    FunSpec({
        quietly()

        for ((writers, readers) in listOf(3 to 3, 3 to 2, 1 to 4)) {
            test("texts and constants of $writers ranks come to $readers, where their owners find them") {
                val disk = SimulatedDisk()
                val names = List(writers) { rank -> List(rank * 2 + 1) { "$rank-é-$it".repeat(it % 3) } }
                ranks(writers) { saveSpecies(disk.host(host), names[rank], Hue.RED) }
                val found =
                    ranks(readers) {
                        val species = Species(emptyList(), NewHue.BLUE)
                        open(disk.host(host)) { species.declare(this) }.use { it.restore() }
                        species.colors.all { it == NewHue.RED } shouldBe true
                        if (readers != writers) species.names.all { it.length % readers == rank } shouldBe true
                        species.names.toList()
                    }
                found.flatten().sorted() shouldBe names.flatten().sorted()
            }
        }

        test("records have texts and constants, too") {
            val disk = SimulatedDisk()
            val rows = listOf(Quark("proton", Hue.RED, 1), Quark("", Hue.BLUE, -1), Quark("eta-prime", Hue.RED, 0))

            suspend fun Communicator.openRecords(get: () -> List<Quark>, set: (List<Quark>) -> Unit) =
                open(disk.host(host)) {
                    rows("particles", get, set) {
                        text("name", atMost = 9)
                        owner { particle, rankCount -> if (particle.color == Hue.RED) 0 else rankCount - 1 }
                    }
                }
            ranks(1) { openRecords({ rows }, {}).use { it.save(1) } }
            val found =
                ranks(2) {
                    var all = emptyList<Quark>()
                    openRecords({ all }, { all = it }).use { it.restore() }
                    all
                }
            found shouldBe rows.partition { it.color == Hue.RED }.toList()
            message<InvalidDeclaration> {
                stateBuilder().rows<Quark>("particles", { rows }, {}) {}
            } shouldBe
                "table 'particles' has texts in the component 'name' of ${Quark::class.java.name}: say how many " +
                "bytes of UTF-8 they have at most, with text(\"name\", …) in the table"
        }

        test("a text that is wider today ends where it did, also if rows without it get another one") {
            val disk = SimulatedDisk()
            var names = arrayOf("abcdefgh", "a")
            ranks(1) {
                open(disk.host(host)) {
                    table("species") { column("name", { names }, {}).also { text("name", atMost = 8) } }
                }.use { it.save(1) }
                names = emptyArray()
                open(disk.host(host)) {
                    table("species") {
                        column("name", { names }, { names = it })
                        text("name", atMost = 16)
                        added("name", "unnamed species")
                    }
                }.use { it.restore() }
            }
            names.toList() shouldBe listOf("abcdefgh", "a")
        }

        test("readers are told of columns as they were declared, and how texts and constants are read") {
            val files = SimulatedDisk().host("node0")
            ranks(1) { saveSpecies(files, listOf("ä", "b"), Hue.GREEN) }
            StoredCheckpoints(Path.of("store"), files).openNewest().use { checkpoint ->
                val species = checkpoint.table("species")
                val found = mutableListOf<String>()
                species.forEachRow { found += "${it.getText("name")} ${it.getEnum<Hue>("color")}" }
                found shouldBe listOf("ä GREEN", "b GREEN")
                species.column("color").read<ByteArray>().toList() shouldBe listOf<Byte>(1, 1)

                val columns = "Its columns are name: texts of at most 20 bytes, color: the constants RED, GREEN, BLUE."
                message<IllegalArgumentException> { species.column("hue") } shouldBe
                    "the table 'species' has no column 'hue'. $columns"
                message<IllegalArgumentException> { species.column("name") } shouldBe
                    "the column 'name' of the table 'species' holds texts: read them row by row with forEachRow and " +
                    "getText(\"name\")"
                message<IllegalArgumentException> { species.column("color").read<Array<String>>() } shouldBe
                    "'species.color' holds cells of the type byte: read it as byte[], the places of constants among " +
                    "RED, GREEN, BLUE, or get the constants row by row: forEachRow and getEnum(\"color\")"
                message<IllegalArgumentException> { species.forEachRow { it.getText("color") } } shouldBe
                    "table 'species' has no column 'color' of texts. $columns"
                message<IllegalArgumentException> { species.forEachRow { it.getEnum<NewHue>("color") } } shouldBe
                    "table 'species': row 0 holds in the column 'color' of constants 'GREEN', which is not in " +
                    NewHue::class.java.name
            }
        }

        test("a text that is too long, or that has no end, is refused when it is saved") {
            suspend fun refusal(text: String) =
                shouldThrow<CheckpointException.InvalidDeclaration> {
                    ranksThrowing { saveSpecies(SimulatedDisk().host(host), listOf("ok", text), Hue.RED) }
                }.message
            refusal("é".repeat(11)) shouldBe
                "the column 'name' of the table 'species' holds texts of at most 20 bytes, but that of row 1 has 22 " +
                "bytes. " +
                "Declare the column wider, or shorten the text. Nothing was saved."
            refusal("a\u0000b") shouldBe
                "the column 'name' of the table 'species' holds texts of at most 20 bytes, but that of row 1 " +
                "contains the character 0, which marks the end of a stored text. Nothing was saved."
        }

        test("a null in a column of texts or constants is refused when it is saved, with the column and the row") {
            suspend fun refusal(declare: Columns.() -> Unit) =
                shouldThrow<CheckpointException.InvalidDeclaration> {
                    ranksThrowing {
                        open(SimulatedDisk().host(host)) { table("species", columns = declare) }.use { it.save(1) }
                    }
                }.message
            @Suppress("UNCHECKED_CAST") // As Java makes such arrays.
            refusal {
                column(
                    "name",
                    { arrayOf("a", null) as Array<String> },
                    {},
                ).also { text("name", atMost = 20) }
            } shouldBe
                "the column 'name' of the table 'species' holds texts of at most 20 bytes, but that of row 1 is " +
                "null. Store an empty text instead. Nothing was saved."
            @Suppress("UNCHECKED_CAST") // As Java makes such arrays.
            refusal { column("color", { arrayOf(null, Hue.RED) as Array<Hue> }, {}) } shouldBe
                "the column 'color' of the table 'species' holds constants of Hue, but that of row 0 is null. Give " +
                "the enum a constant for it. Nothing was saved."
        }

        test("texts are widened, and refused where they might not fit") {
            restoreText(saved = 20, declared = 40) shouldBe listOf("12345678901234567890", "")
            restoreText(saved = 20, declared = 21) shouldBe listOf("12345678901234567890", "")
            message<CheckpointException.Mismatch> { restoreText(saved = 20, declared = 19) } shouldBe
                "save 1 holds the column 'name' of 'species' as texts of at most 20 bytes, but the program declares " +
                "'name' as texts of at most 19 bytes. Declare it as it was stored, or give the new one another " +
                "name."
        }

        test("constants are known by their names, and one that is gone is refused where a row has it") {
            val disk = SimulatedDisk()
            ranks(2) { saveSpecies(disk.host(host), listOf("a"), Hue.GREEN) }
            message<CheckpointException.Mismatch> {
                ranksThrowing {
                    open(
                        disk.host(host),
                    ) { Species(emptyList(), NewHue.RED).declare(this) }.use { it.restore() }
                }
            } shouldBe
                "rows of the checkpoint have GREEN in the column 'color' of 'species', which the program no longer " +
                "has: it has the constants CRIMSON, BLUE, RED. Keep the constant, or declare removed(\"color\") in " +
                "the table and give the new column another name."
        }

        test("columns are added, renamed and removed like those of numbers") {
            val disk = SimulatedDisk()
            ranks(1) { saveSpecies(disk.host(host), listOf("a", "b"), Hue.GREEN) }
            ranks(1) {
                var titles = emptyArray<String>()
                var notes = emptyArray<String>()
                var colors = emptyArray<NewHue>()
                open(disk.host(host)) {
                    table("species") {
                        column("title", { titles }, { titles = it })
                        text("title", atMost = 20)
                        column("note", { notes }, { notes = it })
                        text("note", atMost = 10)
                        column("kind", { colors }, { colors = it })
                        formerly("title", "name")
                        removed("color")
                        added("note", "é new")
                        added("kind", NewHue.CRIMSON)
                    }
                }.use { it.restore() }
                titles.toList() to notes.toList() + colors.map { it.name }
            }.single() shouldBe (listOf("a", "b") to listOf("é new", "é new", "CRIMSON", "CRIMSON"))
        }

        suspend fun saveColumns(): Path {
            val directory = tempdir().toPath()
            val columns = SpeciesColumns().apply { fill("ä", "b") }
            ranks(1) {
                checkpoints(directory) { table(columns) { positionFree() } named "species" }.use { it.save(1) }
            }
            return directory
        }

        test("properties of a class of columns hold them") {
            manifestOf(FileBlockStore(), saveColumns(), 1).items.single().describedColumns() shouldBe
                "name text of 12 bytes, color byte of RED, GREEN, BLUE"
        }

        test("readers without Cairn see texts and names").config(enabledOrReasonIf = needs { PythonReader.isThere }) {
            val found = PythonReader.read(saveColumns().resolve("000001"))
            found.column("species", "name") shouldBe listOf("ä", "b")
            found.column("species", "color") shouldBe listOf("BLUE", "GREEN")
        }
    })

private suspend fun Communicator.open(files: BlockStore, declare: StateBuilder.() -> Unit) =
    checkpoints(Path.of("store"), files = files, declare = declare)

private suspend fun Communicator.saveSpecies(files: BlockStore, names: List<String>, color: Hue) =
    open(files) {
        table("species") {
            column("name", { names.toTypedArray() }, {})
            text("name", atMost = 20)
            column("color", { Array(names.size) { color } }, {})
            positionFree()
        }
    }.use { it.save(1) }

private suspend fun restoreText(saved: Int, declared: Int): List<String> {
    val disk = SimulatedDisk()
    val texts = arrayOf("12345678901234567890", "")
    var found = emptyArray<String>()
    ranks(1) {
        open(disk.host(host)) {
            table("species") { column("name", { texts }, {}).also { text("name", atMost = saved) } }
        }.use { it.save(1) }
    }
    ranksThrowing {
        open(
            disk.host(host),
        ) {
            table("species") {
                column("name", { found }, { found = it }).also { text("name", atMost = declared) }
            }
        }.use { it.restore() }
    }
    return found.toList()
}

/** What a rank throws, without the words in which a run tells of it. */
private suspend fun ranksThrowing(body: suspend Communicator.() -> Unit) {
    ranks(1) { runCatching { body() }.exceptionOrNull() }.single()?.let { throw it }
}

private suspend inline fun <reified T : Throwable> message(noinline body: suspend () -> Unit): String? =
    shouldThrow<T> { body() }.message

private enum class Hue { RED, GREEN, BLUE }

private enum class NewHue { CRIMSON, BLUE, RED }

private class Species(names: List<String>, color: NewHue) {
    var names = names.toTypedArray()
    var colors = Array(names.size) { color }

    fun declare(state: StateBuilder) =
        state.table("species") {
            column("name", { names }, { names = it })
            text("name", atMost = 20)
            column("color", { colors }, { colors = it })
            owner { row, rankCount ->
                check(row.getEnum<NewHue>("color") == NewHue.RED)
                row.getText("name").length % rankCount
            }
        }
}

private class SpeciesColumns : Columns() {
    var name by column<Array<String>>()
    var color by column<Array<Hue>>()

    init {
        text("name", atMost = 12)
    }

    fun fill(vararg names: String) {
        name = arrayOf(*names)
        color = arrayOf(Hue.BLUE, Hue.GREEN)
    }
}

@JvmRecord
private data class Quark(val name: String, val color: Hue, val charge: Int)
