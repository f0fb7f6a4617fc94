package dev.cairn.proof.local

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldBeFor
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.LocalCopies
import dev.cairn.options.LostLocal
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

/**
 * A job is killed at each stage of a save that goes to the disks of its hosts first: in the writing, the votes of the hosts, the seal,
 * the drain, the commit, the deletion. The next job has another number of ranks. The files are what killed processes leave, and what
 * is left when the power fails on all hosts as well.
 */
class LocalCrashCasesSpec :
    FunSpec({
        quietly()

        /** [proof] gets the disks after each schedule, and each end. */
        suspend fun afterEachEnd(
            point: Point,
            options: CheckpointOptions = LOCALLY,
            proof: suspend (HostDisks) -> Unit,
        ) {
            for (seed in 1L..5) {
                val disks = killedAt(point, seed, options)
                withClue("seed $seed, the processes are killed") { proof(disks.afterCrash { false }) }
                withClue("seed $seed, the power fails") { proof(disks.afterCrash { true }) }
            }
        }

        fun HostDisks.voted() = hosts.filter { host -> door(host).localPaths().any { it.endsWith(SaveNames.MANIFEST) } }

        fun HostDisks.survey() = checkpointStore(shared.host("elsewhere"), DIRECTORY).survey()

        fun HostDisks.sealed() = survey().newestSealed?.number

        fun HostDisks.requireNothingLocal() = hosts.flatMap { door(it).localPaths() }.shouldBeEmpty()

        test("killed while a rank writes: the save before is restored, and the torn file is deleted") {
            afterEachEnd(Point(Kind.WRITE, nth = 2) { it.isLocal && it.endsWith("data.sion.000001") }) { disks ->
                disks.voted().shouldBeEmpty()
                restoredFrom(disks) shouldBe 1
                disks.requireNothingLocal()
            }
        }

        test("killed when two of three hosts have voted: the save before is restored") {
            afterEachEnd(Point(Kind.CREATE, nth = 3) { it.isLocal && it.endsWith(SaveNames.MANIFEST) }) { disks ->
                disks.sealed() shouldBe null
                restoredFrom(disks) shouldBe 1
                disks.requireNothingLocal()
            }
        }

        test("killed when all hosts have voted, before their places are noted: the save before is restored") {
            afterEachEnd(Point(Kind.CREATE) { it.endsWith(SaveNames.HOSTS) }) { disks ->
                disks.voted() shouldBe hosts
                disks.sealed() shouldBe null
                restoredFrom(disks) shouldBe 1
                disks.requireNothingLocal()
            }
        }

        test(
            "killed when the places are noted, before the seal: a restart on the same hosts seals the save, and restores it",
        ) {
            afterEachEnd(Point(Kind.RENAME) { it.endsWith(SaveNames.NEW_SEAL) }) { disks ->
                disks.voted() shouldBe hosts
                disks.sealed() shouldBe 2
                restoredFrom(disks) shouldBe 2
                disks.requireNothingLocal()
                disks.requireCommitted(2)
            }
        }

        test("killed when the save is sealed: a restart on the same hosts drains it, and restores it") {
            afterEachEnd(BEFORE_THE_DRAIN) { disks ->
                disks.sealed() shouldBe 2
                restoredFrom(disks) shouldBe 2
                disks.requireNothingLocal()
                disks.requireCommitted(2)
            }
        }

        test(
            "killed when the save is sealed, and a host is lost: a restart is refused, and goes on without the save if told to",
        ) {
            afterEachEnd(BEFORE_THE_DRAIN) { disks ->
                disks.lose("node1")
                val refused = shouldThrow<RunFailedException> { restoredFrom(disks) }.cause
                refused.shouldBeFor<CheckpointException.Damaged>(Reason.LOST_ON_HOSTS).message shouldContain
                    "save 2, step 2, is on the disks of its hosts, but no rank finds data.sion.000001 on node1"
                disks.sealed() shouldBe 2
                restoredFrom(disks, options = CheckpointOptions(LOCALLY) { lostLocal = LostLocal.GO_ON }) shouldBe 1
                disks.sealed() shouldBe null
            }
        }

        test("killed when the save is sealed, and a host is lost whose file has a copy: a restart drains the copy") {
            val withCopy = CheckpointOptions(LOCALLY) { localCopies = LocalCopies.exactly(1) }
            afterEachEnd(BEFORE_THE_DRAIN, withCopy) { disks ->
                disks.lose("node1")
                restoredFrom(disks, options = withCopy) shouldBe 2
                disks.requireNothingLocal()
                disks.requireCommitted(2)
            }
        }

        test("killed in the drain: no reader takes the copy for a checkpoint, and a restart drains again") {
            afterEachEnd(Point(Kind.RENAME, nth = 2) { SaveNames.isPart("${it.fileName}") }) { disks ->
                disks.sharedFilesOf(2).filter(SaveNames::isOriginal).size shouldBeLessThan hosts.size
                disks.survey().saves.map { it.number } shouldBe listOf(1)
                restoredFrom(disks) shouldBe 2
                disks.sharedFilesOf(2).filter(SaveNames::isPart).shouldBeEmpty()
                disks.requireNothingLocal()
                disks.requireCommitted(2)
            }
        }

        test(
            "killed when all is drained, and nothing is committed: a restart verifies the drained files, and needs no host",
        ) {
            afterEachEnd(Point(Kind.RENAME) { !it.isLocal && it.endsWith(SaveNames.NEW_MANIFEST) }) { disks ->
                disks.sharedFilesOf(2).filter(SaveNames::isOriginal) shouldHaveSize hosts.size
                disks.survey().saves.map { it.number } shouldBe listOf(1)
                hosts.forEach(disks::lose)
                restoredFrom(disks) shouldBe 2
                disks.requireCommitted(2)
            }
        }

        test("killed after the commit, before a host deletes: no host is needed, and those that are there delete") {
            afterEachEnd(Point(Kind.DELETE) { it.isLocal && it.endsWith(SaveNames.MANIFEST) }) { disks ->
                disks.voted() shouldBe hosts
                disks.requireCommitted(2)
                restoredFrom(disks) shouldBe 2
                disks.requireNothingLocal()
            }
        }
    })

private val BEFORE_THE_DRAIN = Point(Kind.CREATE) { SaveNames.isPart("${it.fileName}") }

private val Path.isLocal get() = startsWith(SCRATCH)

private fun HostDisks.sharedFilesOf(save: Int): List<String> =
    shared.host("elsewhere").list(DIRECTORY.resolve(SaveNames.directory(save))).map { "${it.fileName}" }

/** Ranks that see the shared store only restore it. */
private suspend fun HostDisks.requireCommitted(step: Long) {
    val reader = shared.host("elsewhere")
    for (count in listOf(1, 3)) {
        ranks(count) { restoreKnown(Known.SMALL, reader)?.step }.distinct() shouldBe
            listOf(step)
    }
}
