package dev.cairn.proof.kill

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class TraceSpec :
    FunSpec({
        test(
            "what reads a committed save works for the deletion of older ones, before and after the next save has its directory",
        ) {
            val save =
                listOf(
                    "step 1" to Moment.COMPUTING,
                    "EXISTS " to Moment.BEGIN,
                    "MAKE_DIRECTORY 000001" to Moment.BEGIN,
                    "CREATE 000001/data.sion" to Moment.DATA,
                    "FORCE 000001/data.sion" to Moment.FORCE,
                    "WRITE 000001/data.sion" to Moment.META2,
                    "RENAME 000001/manifest.json.new" to Moment.RENAME,
                    "FORCE_DIRECTORY 000001" to Moment.RENAME,
                )
            val next =
                listOf(
                    "step 2" to Moment.COMPUTING,
                    "SIZE 000001/data.sion" to Moment.RETENTION,
                    "EXISTS " to Moment.BEGIN,
                    "SIZE 000001/data.sion" to Moment.RETENTION,
                    "MAKE_DIRECTORY 000002" to Moment.BEGIN,
                    "SIZE 000001/data.sion" to Moment.RETENTION,
                    "CREATE 000002/data.sion" to Moment.DATA,
                )
            val trace = Trace((save + next).map { it.first })
            trace.moments shouldBe (save + next).map { it.second }
            trace.newest shouldBe setOf(1)
        }

        test("a save that has the note of its hosts is complete, before it has a seal") {
            val before = listOf("step 1", "MAKE_DIRECTORY 000001", "CREATE ../disk/data.sion", "CREATE 000001/hosts")
            Trace(before).newest shouldBe setOf(null)
            Trace(before + "WRITE 000001/hosts").newest shouldBe setOf(null, 1)
            Trace(before + "WRITE 000001/hosts" + "FORCE 000001/hosts").newest shouldBe setOf(1)
        }
    })
