package dev.cairn.item

import dev.cairn.event.CheckpointException
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldMatch
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.createSymbolicLinkPointingTo

class OutputLockSpec :
    FunSpec({
        val file = PARENT.resolve("heat.nc")
        val lockFile = PARENT.resolve("heat.nc.lock")
        val displacing =
            object : OutputOwner {
                override val mayBeShared get() = true

                override fun requireHeld() = Unit

                override fun saveMarks() = emptyList<SaveMarks?>()

                override fun keeps(file: Path, kept: Path, number: Int, end: OutputEnd?) = Unit

                override fun hasKept(kept: Path) = false

                override fun leaveShared() = Unit
            }

        fun BlockStore.taken(owner: OutputOwner = OutputOwner.NoStore) = OutputLock(this, file).also { it.take(owner) }

        fun BlockStore.isFree() = runCatching { taken().close() }.isSuccess

        test("one program at a time has an output, and the refusal of another one names it") {
            val door = SimulatedDisk().withParent().host("a")
            door.create(lockFile).use {
                it.write(0, ByteBuffer.wrap("process 1 on b, running since noon\nits identity\n".toByteArray()))
                it.tryLock() shouldBe true
                shouldThrow<CheckpointException.InUse> { door.taken() }.message shouldBe
                    "/run/heat.nc: the output is in use, since another program writes it: process 1 on b, running " +
                    "since noon. Wait until it has ended, or declare another file."
            }
        }

        test("programs that come to an output by different links exclude each other") {
            val directory = tempdir().toPath()
            val whole = directory.resolve("data").createDirectory().resolve("heat.nc")
            val links = listOf("one.nc", "two.nc").map { directory.resolve(it).createSymbolicLinkPointingTo(whole) }
            OutputLock(FileBlockStore(), links[0]).use { first ->
                first.take(OutputOwner.NoStore)
                for (other in listOf(whole, links[1])) {
                    shouldThrow<CheckpointException.InUse> {
                        OutputLock(FileBlockStore(), other).take(OutputOwner.NoStore)
                    }
                }
            }
        }

        test("a program that takes an output twice is told that it has it itself") {
            val door = SimulatedDisk().withParent().host("a")
            door.taken().use { lock ->
                shouldThrow<CheckpointException.InUse> { door.taken() }.message shouldMatch
                    Regex(
                        "/run/heat.nc: the output is in use, since this program itself writes it already: it was " +
                            "declared in OutputLockSpec.kt:[0-9]+\\. Close the checkpoints that it belongs to first, " +
                            "or declare another file\\.",
                    )
                lock.take(OutputOwner.NoStore)
                OutputLock(door, PARENT.resolve("other.nc")).use { it.take(OutputOwner.NoStore) }
            }
            door.exists(lockFile) shouldBe false
            door.isFree() shouldBe true
        }

        test("the lock file of a program that was killed stops no other") {
            val door = SimulatedDisk().withParent().host("a")
            val note = "process 1 on b, and much more\n".repeat(99).toByteArray()
            door.create(lockFile).use { it.write(0, ByteBuffer.wrap(note)) }
            door.taken().use { door.isFree() shouldBe false }
            door.exists(lockFile) shouldBe false
        }

        test("a lock file that its holder deletes while another program opens it is not taken for the lock") {
            val door = SimulatedDisk().withParent().host("a")
            val first = door.taken()
            val second =
                object : ForwardingStore(door) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if (operation.kind() == BlockStore.Operation.Kind.TRY_LOCK) first.close()
                    }
                }
            second.taken().use { door.isFree() shouldBe false }
        }

        test("the lock of a program from which the store was taken is replaced, and stays so when that program ends") {
            val door = SimulatedDisk().withParent().host("a")
            val former = door.taken()
            door.taken(displacing).use {
                door.isFree() shouldBe false
                former.close()
                door.isFree() shouldBe false
            }
            door.list(PARENT) shouldBe emptyList()
        }

        test("a lock file that was deleted meanwhile is made again, unless another program writes the output now") {
            val door = SimulatedDisk().withParent().host("a")
            door.taken().use { lock ->
                lock.requireHeld(OutputOwner.NoStore)
                door.delete(lockFile)
                lock.requireHeld(OutputOwner.NoStore)
                door.isFree() shouldBe false
                door.delete(lockFile)
                door.taken().use {
                    shouldThrow<CheckpointException.InUse> { lock.requireHeld(displacing) }.message shouldMatch
                        Regex("/run/heat.nc: the output is in use, since this program itself writes it already: .*")
                    door.isFree() shouldBe false
                }
            }
            door.list(PARENT) shouldBe emptyList()
        }

        test("a program whose store was taken over looks for no lock again") {
            val door = SimulatedDisk().withParent().host("a")
            val fenced =
                object : OutputOwner by displacing {
                    override fun requireHeld() = throw IOException("the store was taken over")
                }
            door.taken().use { lock ->
                door.taken(displacing).use {
                    shouldThrow<IOException> { lock.requireHeld(fenced) }.message shouldBe "the store was taken over"
                    door.isFree() shouldBe false
                }
            }
        }

        test("without locks a program goes on without one") {
            val door = SimulatedDisk().withParent().host("a")
            val lockless =
                object : ForwardingStore(door) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if (operation.kind() == BlockStore.Operation.Kind.TRY_LOCK) throw IOException("no locks here")
                    }
                }
            lockless.taken().use { lockless.isFree() shouldBe true }
        }
    })
