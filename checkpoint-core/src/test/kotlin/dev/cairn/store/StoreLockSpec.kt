package dev.cairn.store

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CheckpointException.InUse
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldThrowFor
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Files
import java.time.Clock
import java.time.Duration
import java.time.Instant
import java.time.ZoneId
import java.time.ZoneOffset
import java.time.temporal.ChronoUnit

class StoreLockSpec :
    FunSpec({
        val ifDead = Takeover.IfDead(Duration.ofMinutes(2)) {}
        val shortLocks = DiskSettings.DEFAULT.withLockReach(DiskSettings.LockReach.ONE_HOST)

        fun newDisk(settings: DiskSettings = DiskSettings.DEFAULT) = SimulatedDisk(settings).withParent()

        test("a released store can be owned at once") {
            val disk = newDisk(shortLocks)
            disk.host("node0").own("a", "node0", ifDead).close()
            disk.host("node1").own("b", "node1", ifDead).use { it.takeover.shouldBeNull() }
            disk.openFiles().shouldBeEmpty()
        }

        test("the refusal of a locked store names its owner") {
            val store = newDisk().host("node0")
            store.own("a").use {
                shouldThrow<InUse> { store.own("b", takeover = ifDead) }.message shouldBe
                    "$DIRECTORY/lock: the store is in use: it belongs to process 4711 on node0, running " +
                    "since $NOON, last heard of at $NOON. Wait until it has ended, or use another directory. If it " +
                    "is stopped and must not continue, end it, or take the store over with the setting take-over = true."
            }
        }

        test("a requested takeover from the holder of the lock fences it, and it blocks no later owner") {
            val disk = newDisk()
            val store = disk.host("node0")
            val old = store.own("a").also { it.save(store) }
            val new = store.own("b", takeover = Takeover.Asked)
            new.takeover shouldBe
                "took the store over from process 4711 on node0, running since $NOON, last heard of at $NOON: " +
                "that process still holds its lock, but the user asked"

            shouldThrowFor<InUse>(Reason.TAKEN_OVER) { old.begin() }
            shouldThrow<InUse> { store.own("c", takeover = ifDead) }
            old.close()
            shouldThrow<InUse> { store.own("c", takeover = ifDead) }
            new.save(store) shouldBe 2
            new.close()
            store.own("c", takeover = ifDead).use { it.takeover.shouldBeNull() }
            store.list(DIRECTORY).map { it.name } shouldContainExactly listOf("000001", "000002", "displaced", "lock")
            disk.openFiles().shouldBeEmpty()
        }

        test("the store of a process that died on this host is taken over at once, with one line") {
            val disk = newDisk()
            disk.host("node0").own("a")
            disk.crashHost("node0")
            disk.host("node0").own("b", takeover = ifDead).use {
                it.takeover shouldBe
                    "took the store over from process 4711 on node0, running since $NOON, last heard of at $NOON: " +
                    "that process has ended"
            }
        }

        test("a store whose lock file was deleted belongs to its owner while that process runs") {
            val store = newDisk().host("node0")
            val process = ProcessBuilder("sleep", "600").start()
            try {
                val since = Instant.now().truncatedTo(ChronoUnit.SECONDS)
                val running = owner("a").copy(pid = process.pid(), since = since, heartbeat = since)
                store.checkpoints().own(running, Clock.systemUTC(), ifDead)
                store.delete(DIRECTORY.resolve(SaveNames.LOCK))
                shouldThrow<InUse> { store.own("b", takeover = ifDead) }.message shouldContain
                    "$running. That process is running, although its lock is free: the file 'lock' was deleted or " +
                    "replaced. Wait until it has ended"
            } finally {
                process.destroyForcibly().waitFor()
            }
            store.own("b", takeover = ifDead).use { it.takeover!! shouldContain "that process has ended" }
        }

        for (minutesAhead in listOf(-60L, 0L, 60L)) {
            test("an owner out of reach of locks, $minutesAhead minutes ahead by its clock, is watched for a while") {
                val disk = newDisk(shortLocks)
                disk.host("node0").own("a", "node0")
                val clock = SettableClock(NOON.minusSeconds(60 * minutesAhead))
                var looks = 0L
                val watching = Takeover.IfDead { looks += it.toSeconds() }
                disk.host("node1").checkpoints().own(owner("b", "node1"), clock, watching).use {
                    it.takeover!! shouldContain "its lock is free, and it has given no sign of life for 120 s"
                }
                looks shouldBe 120
            }

            test("a heartbeat keeps others off, if their clocks are $minutesAhead minutes behind") {
                val disk = newDisk(shortLocks)
                val clock = SettableClock(NOON)
                val owned = disk.host("node0").checkpoints().own(owner("a"), clock, ifDead)
                var looks = 0
                val watching =
                    Takeover.IfDead {
                        clock.now += it
                        if (++looks == 30) owned.heartbeat()
                    }
                val other = SettableClock(NOON.minusSeconds(60 * minutesAhead))
                shouldThrow<InUse> { disk.host("node1").checkpoints().own(owner("b", "node1"), other, watching) }
                    .message shouldContain
                    "last heard of at $NOON. Its lock is free, which may not reach from there to here, but it has " +
                    "just given a sign of life."
                looks shouldBe 30
                owned.heartbeat()
                disk.openFiles().map { it.name } shouldContainExactly listOf("lock", "owner.json.a.new")
            }
        }

        test("a store that its owner releases while it is watched is free") {
            val disk = newDisk(shortLocks)
            val owned = disk.host("node0").own("a", "node0")
            disk.host("node1").own("b", "node1", Takeover.IfDead { owned.close() }).use { it.takeover.shouldBeNull() }
        }

        test("a heartbeat that a crash has torn leaves a note that can be read") {
            val disk = newDisk()
            val clock = SettableClock(NOON)
            val owned = disk.host("node0").checkpoints().own(owner("a"), clock, ifDead)
            clock.now = Instant.parse("2025-11-30T23:59:59.999Z")
            owned.heartbeat()
            val found = disk.crashOutcomes().map { OwnerFile(disk.afterCrash(it).host("node0"), DIRECTORY).read() }
            found.forEach { it.shouldBeInstanceOf<OwnerNote.Known>().owner.copy(heartbeat = NOON) shouldBe owner("a") }
            found.map { it.toString().substringAfterLast(' ') }.toSet() shouldBe
                setOf("2025-01-31T12:00:00Z", "2025-11-30T23:59:59Z")
        }

        test("on request a store is taken over at once, and its old owner can change nothing any more") {
            val disk = newDisk(shortLocks)
            val store = disk.host("node0")
            val old = store.own("a", "node0")
            old.save(store)
            val save = old.begin()
            save.writeData(store)

            val new = disk.host("node1").own("b", "node1", Takeover.Asked)

            shouldThrowFor<InUse>(Reason.TAKEN_OVER) { save.commit(manifest(2)) }.message shouldBe
                "$DIRECTORY/owner.json: the store should belong to process 4711 on node0, running since $NOON, last " +
                "heard of at $NOON, but belongs to process 4711 on node1, running since $NOON, last heard of at " +
                "$NOON: it was taken over meanwhile. This program can no longer save here: end it, and continue " +
                "with the other one."
            save.abandon("it was taken over")
            shouldThrowFor<InUse>(Reason.TAKEN_OVER) { old.begin() }
            shouldThrowFor<InUse>(
                Reason.TAKEN_OVER,
            ) { old.retain(Retention.keepOnlyNewest(), wholeData(store)).total() }
            shouldThrowFor<InUse>(Reason.TAKEN_OVER) { old.heartbeat() }
            shouldThrowFor<InUse>(Reason.TAKEN_OVER) {
                old.pin(
                    old.store
                        .survey()
                        .saves
                        .single(),
                )
            }
            shouldThrowFor<InUse>(Reason.TAKEN_OVER) {
                old.remove(
                    old.store
                        .survey()
                        .saves
                        .single(),
                )
            }
            old.close()
            new.save(disk.host("node1")) shouldBe 3
            found(store) shouldBe 3
            new.close()
            shouldThrow<IllegalStateException> { new.begin() }.message shouldContain "released already"
        }

        test("on request even an owner of the same host name is displaced, since it may be that of another host") {
            val disk = newDisk(shortLocks)
            val old = disk.host("node0").own("a", "localhost")
            disk.host("node1").own("b", "localhost", Takeover.Asked).use { it.displaced.exists shouldBe true }
            shouldThrowFor<InUse>(Reason.TAKEN_OVER) { old.begin() }
        }

        test("a successor that has ended in order fences as well") {
            val disk = newDisk(shortLocks)
            val old = disk.host("node0").own("a", "node0")
            disk.host("node1").own("b", "node1").close()
            shouldThrowFor<InUse>(Reason.TAKEN_OVER) { old.begin() }.message shouldContain
                "but has no owner: it was taken over"
        }

        test("an owner whose directory was moved away is refused with that reason") {
            val directory = tempdir().toPath().resolve("moved")
            val owned = checkpointStore(FileBlockStore(), directory).own(Owner.here(NOON), Clock.systemUTC())
            owned.use {
                Files.move(directory, directory.resolveSibling("elsewhere"))
                shouldThrowFor<InUse>(Reason.TAKEN_OVER) { owned.begin() }.message shouldContain
                    "but the directory no longer exists: it was moved away or deleted. This program can no longer " +
                    "save here: put the directory back, and start the program again."
            }
        }

        test("so is one whose directory a file has replaced") {
            val directory = tempdir().toPath().resolve("moved")
            val owned = checkpointStore(FileBlockStore(), directory).own(Owner.here(NOON), Clock.systemUTC())
            owned.use {
                Files.move(directory, directory.resolveSibling("elsewhere"))
                Files.createFile(directory)
                shouldThrowFor<InUse>(Reason.TAKEN_OVER) { owned.requireHeld() }.message shouldContain
                    "but the directory no longer exists: it was moved away or deleted."
            }
        }

        test("a note that cannot be read gives no permission") {
            val disk = newDisk()
            val store = disk.host("node0")
            store.own("a").use { owned ->
                store.open(DIRECTORY.resolve("owner.json"), Access.READ_WRITE).use { it.write(0, byteArrayOf(0)) }
                shouldThrowFor<InUse>(Reason.TAKEN_OVER) { owned.begin() }.message shouldContain
                    "an owner whose note cannot be read"
            }
            shouldThrow<InUse> { store.own("b", takeover = ifDead) }.message shouldContain
                "Make sure that no program writes into this store, and take it over with the setting take-over = true."
            store.own("b", takeover = Takeover.Asked).close()
        }

        test("a note of another version may say more") {
            val disk = newDisk(shortLocks)
            val store = disk.host("node0")
            store.own("a").use {
                val file = DIRECTORY.resolve("owner.json")
                val text = store.open(file, Access.READ).use { it.content().decodeToString() }
                store.open(file, Access.READ_WRITE).use {
                    it.write(0, text.replace("{\n", "{\n    \"mood\": \"good\",\n").encodeToByteArray())
                }
                disk.host("node1").own("b", "node1", ifDead).use { other -> other.takeover!! shouldContain "on node0" }
            }
        }

        test("what owners left half-prepared is cleared away") {
            val store = newDisk().host("node0")
            store.own("a").use {
                store.create(DIRECTORY.resolve("owner.json.0b5e-77.new")).close()
                store.create(DIRECTORY.resolve("lock.0b5e-77.new")).close()
            }
            store
                .own(
                    "b",
                ).use { store.list(DIRECTORY).map { it.name } shouldContainExactly listOf("lock", "owner.json") }
        }

        test("two owners of this process have different identities") {
            val (one, other) = List(2) { Owner.here("node0", NOON.plusNanos(5)) }
            (one.identity == other.identity) shouldBe false
            shouldThrow<IllegalArgumentException> { owner("a").copy(heartbeat = NOON.plusMillis(1)) }.message shouldBe
                "an owner counts in whole seconds, not $NOON and 2025-01-31T12:00:00.001Z"
            one.pid shouldBe ProcessHandle.current().pid()
            listOf(SaveNames.newOwner(one.identity), SaveNames.newLock(one.identity)).forEach {
                SaveNames.isPrepared(it) shouldBe true
            }
        }
    })

private class SettableClock(var now: Instant) : Clock() {
    override fun instant(): Instant = now

    override fun getZone(): ZoneId = ZoneOffset.UTC

    override fun withZone(zone: ZoneId): Clock = this
}
