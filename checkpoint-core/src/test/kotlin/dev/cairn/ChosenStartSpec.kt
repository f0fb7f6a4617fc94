package dev.cairn

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.ExitCode
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SettingsSources
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.run.FailureReport
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.Codecs
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.fileSize
import kotlin.io.path.writeBytes

/** Until the program has saved, no restore takes a save that `fresh` or `from` excludes. */
class ChosenStartSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        suspend fun threeSaves(name: String): Path {
            val store = directory.resolve(name)
            counting(store, CheckpointOptions { keepLast = 9 }).use { for (step in 1L..3) it.save(step) }
            return store
        }

        test("a chosen save that is damaged is refused again") {
            val store = threeSaves("damaged.cairn")
            val data = store.resolve("000002/data.sion")
            data.writeBytes(ByteArray(data.fileSize().toInt()))
            counting(store, CheckpointOptions { from = 2 }).use {
                repeat(2) { _ -> shouldThrow<CheckpointException> { it.restore() } }
            }
        }

        test("a program that goes back before its first save begins again where it has begun") {
            for ((name, start, options) in listOf(
                Triple("fresh", 0L, CheckpointOptions { fresh = true }),
                Triple("from", 2L, CheckpointOptions { from = 2 }),
            )) {
                counting(threeSaves(name), options).use {
                    repeat(2) { _ -> it.restore() shouldBe start }
                    it.save(7)
                    it.restore() shouldBe 7
                }
            }
        }

        for ((setting, options) in mapOf(
            "from = 2" to CheckpointOptions { from = 2 },
            "fresh = true" to CheckpointOptions { fresh = true },
        )) {
            test("$setting is refused before anything is deleted, if the program goes on without a restore") {
                val store = threeSaves(setting)
                val sentence = "$setting says where the program begins, but it goes on without restore()"
                counting(store, options).use {
                    shouldThrow<InvalidDeclaration> { it.saveIfDue(1, until = 9) }.message shouldContain sentence
                    shouldThrow<InvalidDeclaration> { it.save(1) }.message shouldContain sentence
                }
                ranks(2) {
                    checkpoints(store, options) { replicated("n", Codecs.LONG, { 1L }, {}) }.use {
                        val refusal = shouldThrow<InvalidDeclaration> { it.saveIfDue(1, until = 9) }
                        refusal.message shouldContain sentence
                        FailureReport.codeOf(refusal) shouldBe ExitCode.REFUSED
                        shouldThrow<InvalidDeclaration> { it.trySave(1) }.message shouldContain sentence
                    }
                }
                counting(store).use { it.restore() shouldBe 3 }
            }
        }

        test("an invalid setting of a loop of the program's own is refused as a wrong declaration") {
            for ((variable, value) in mapOf("CAIRN_FRESH" to "yes", "CAIRN_EVERY" to "0")) {
                val sources = SettingsSources(mapOf(variable to value), FileBlockStore())
                val refusal = shouldThrow<InvalidDeclaration> { CheckpointOptions().configured(sources) }
                refusal.message shouldContain variable
                FailureReport.codeOf(refusal) shouldBe ExitCode.REFUSED
            }
        }

        test("a save that the program has chosen itself ends what the settings say") {
            val store = directory.resolve("own.cairn")
            ranks(1) {
                checkpoints(store) { replicated("n", Codecs.LONG, { 1L }, {}) }.use { it.save(1) }
                checkpoints(store, CheckpointOptions { fresh = true }) {
                    replicated("n", Codecs.LONG, { 1L }, {})
                }.use {
                    it.restore(1).step shouldBe 1
                    it.restore()?.step shouldBe 1
                }
            }
        }
    })
