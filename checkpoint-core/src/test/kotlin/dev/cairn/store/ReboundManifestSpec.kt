package dev.cairn.store

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** A manifest that is changed because the data of its checkpoint were rewritten. */
class ReboundManifestSpec :
    FunSpec({
        test("all fields but the hints stay, also those that only a newer version knows") {
            val files = SimulatedDisk().withParent().host("node0")
            val owned = files.own("a")
            val save = owned.begin()
            save.writeData(files)
            save.commit(manifest(save.number))
            val file = save.path.resolve(SaveNames.MANIFEST)
            rewriteManifest(files, file) {
                it
                    .replace("\"2.0\"", "\"2.9\"")
                    .replaceFirst("{", "{\n    \"future\": 1.5,")
                    .replace("\"hints\": {", "\"hints\": {\n        \"future\": [],")
            }
            val before = files.linesOf(save)
            val candidate = files.checkpoints().run { read(survey().saves.single()) }
            owned.rebind(candidate, candidate.manifest.hints.copy(fileCount = 77))
            files.linesOf(save).dropLast(2) shouldBe
                before.dropLast(2).map { it.replace(Regex("\"fileCount\": \\d+"), "\"fileCount\": 77") }
        }
    })

private fun BlockStore.linesOf(save: SaveDirectory): List<String> =
    open(save.path.resolve(SaveNames.MANIFEST), Access.READ)
        .use { it.content() }
        .decodeToString()
        .trimEnd()
        .lines()
