package dev.cairn.proof.local

import dev.cairn.options.Wait
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.state.Known
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.store.SaveNames
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotBeEmpty

/** Drained files that stay on a host, since their deletion in the background fails. */
class UndeletedFilesSpec :
    FunSpec({
        test("whatever has prevented the deletion is logged, also if it is no error of the disk") {
            val disks = HostDisks()
            val doors =
                disks.watched {
                    val isDrained = it.path().startsWith(LOCAL) && it.path().endsWith(SaveNames.MANIFEST)
                    check(it.kind() != Kind.DELETE || !isDrained) { "it stays" }
                }
            val lines = loggedBy { ranks(plan(3, 1)) { save(Known.SMALL, doors.getValue(host), 1L..1, Wait.LOCAL) } }
            lines
                .filter { "obsolete saves could not be deleted. The next start tries again" in it }
                .shouldNotBeEmpty()
        }
    })
