package dev.cairn.sion.store

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.fixture.LockingProcess
import dev.cairn.sion.store.fixture.Place
import dev.cairn.sion.store.fixture.blockStoreContract
import dev.cairn.sion.store.fixture.bytes
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.diskDirectory
import dev.cairn.sion.store.fixture.pattern
import dev.cairn.sion.store.fixture.realPlace
import dev.cairn.sion.store.fixture.write
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.FileAlreadyExistsException
import java.nio.file.FileSystemException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.WRITE
import java.util.concurrent.CompletableFuture
import java.util.concurrent.atomic.AtomicBoolean

private val memoryDirectory: Path = Path.of("/dev/shm")

@Tags(JDK_DEPENDENT)
class FileBlockStoreSpec :
    FunSpec({
        include("on disk: ", blockStoreContract { realPlace(diskDirectory) })

        if (Files.isWritable(memoryDirectory)) {
            val parent = memoryDirectory.resolve("cairn-door-${ProcessHandle.current().pid()}")
            afterSpec { parent.toFile().deleteRecursively() }
            include("in memory: ", blockStoreContract { realPlace(parent) })
        } else {
            println("NOT TESTED: the contract of FileBlockStore on tmpfs, since $memoryDirectory cannot be written")
        }

        test("a file does not take the place of a link, whole or broken, nor of what is no file") {
            val place = realPlace(diskDirectory)
            val path = place.file("new", pattern(1, 10))
            val old = place.file("old", pattern(2, 10))
            val pipe = place.path("pipe")
            ProcessBuilder("mkfifo", "$pipe").start().waitFor() shouldBe 0
            val links =
                listOf(old, place.path("nowhere")).map {
                    Files.createSymbolicLink(place.path("to-${it.fileName}"), it)
                }
            for (taken in listOf(pipe, *links.toTypedArray())) {
                shouldThrow<FileSystemException> { place.store.rename(path, taken) }.message shouldBe
                    "$taken: is a link or a device, and no file is put in its place"
            }
            place.content(path) shouldBe pattern(1, 10)
            place.content(old) shouldBe pattern(2, 10)
        }

        test("a lock excludes other processes, and they us") {
            val place = realPlace(diskDirectory)
            val path = place.file("lock")
            place.store.open(path, Access.READ_WRITE).use { file ->
                LockingProcess(path).use { other ->
                    other.hasLock shouldBe true
                    file.tryLock() shouldBe false
                }
                file.tryLock() shouldBe true
                LockingProcess(path).use { other -> other.hasLock shouldBe false }
            }
        }

        test("a new file exists for its creator, even if another program deletes it at once") {
            val place = realPlace(diskDirectory)
            val path = place.path("request")
            val isOver = AtomicBoolean()
            val deleting = CompletableFuture.runAsync { while (!isOver.get()) Files.deleteIfExists(path) }
            try {
                repeat(20_000) {
                    try {
                        place.store.create(path).use { it.write(0, ByteBuffer.wrap(byteArrayOf(1))) }
                    } catch (_: FileAlreadyExistsException) {
                        // The other program has not deleted the previous one yet.
                    }
                }
            } finally {
                isOver.set(true)
                deleting.get()
            }
        }

        test("a lock is free as soon as its process is killed") {
            val place = realPlace(diskDirectory)
            val path = place.file("lock")
            val other = LockingProcess(path)
            place.store.open(path, Access.READ_WRITE).use { file ->
                file.tryLock() shouldBe false
                other.kill()
                file.tryLock() shouldBe true
            }
        }

        test("reading a locked file keeps other processes out, under whatever name it is read") {
            val place = realPlace(diskDirectory)
            val path = place.file("lock", pattern(1, 10))
            val link = Files.createLink(place.path("link"), path)
            place.store.open(path, Access.READ_WRITE).use { holder ->
                holder.tryLock() shouldBe true
                place.content(path) shouldBe pattern(1, 10)
                place.content(link) shouldBe pattern(1, 10)
                place.store.open(path, Access.READ_WRITE).use { it.write(0, pattern(2, 10)) }
                LockingProcess(path).use { other -> other.hasLock shouldBe false }
            }
            LockingProcess(path).use { other -> other.hasLock shouldBe true }
        }

        test("reading a locked file a thousand times takes no thousand descriptors, and all are given back") {
            val place = realPlace(diskDirectory)
            val path = place.file("lock", pattern(1, 10))
            val before = openDescriptors(path)
            place.store.open(path, Access.READ_WRITE).use { holder ->
                holder.tryLock() shouldBe true
                repeat(1000) { place.content(path) }
                openDescriptors(path) shouldBeLessThan 4
            }
            openDescriptors(path) shouldBe before
        }

        test("a lock that other code of this process took through a bare channel is respected") {
            val place = realPlace(diskDirectory)
            val path = place.file("lock")
            FileChannel.open(path, WRITE).use { channel ->
                place.store.open(path, Access.READ_WRITE).use { file ->
                    channel.lock().use { file.tryLock() shouldBe false }
                    file.tryLock() shouldBe true
                }
            }
        }

        test("a full disk is told apart, with what was wanted; other files are untouched") {
            withSmallFileSystem { place ->
                val kept = place.file("kept", pattern(1, 100_000))
                val source = ByteBuffer.allocate(2 shl 20)
                place.store.create(place.path("data")).use { file ->
                    val refused = shouldThrow<DiskException> { file.write(0, source) }
                    refused.trouble() shouldBe DiskException.Trouble.NO_ROOM
                    val free = place.store.freeSpace(place.directory)
                    refused.message shouldBe
                        "${file.path()}: no space is left for ${source.remaining()} more bytes. " +
                        "The file system reports $free bytes free; a quota may allow less. " +
                        "Free some space there, or write elsewhere."
                    file.resize(1000)
                    file.write(1000, pattern(2, 100_000))
                }
                place.content(kept) shouldBe pattern(1, 100_000)
            }
        }

        test("a device that refuses every byte counts as full, whatever is said to be free") {
            FileBlockStore().open(Path.of("/dev/full"), Access.READ_WRITE).use { file ->
                shouldThrow<DiskException> { file.write(0, pattern(1, 5)) }
                    .message shouldStartWith "/dev/full: no space is left for 5 more bytes."
            }
        }

        test("other failures of an open file name it") {
            // The first page of a process is never mapped, so reading it fails.
            FileBlockStore().open(Path.of("/proc/self/mem"), Access.READ).use { file ->
                shouldThrow<FileSystemException> { file.bytes(0, 1) }.message shouldMatch "/proc/self/mem: .+"
            }
        }

        test("the block size of a local file system is its own") {
            val place = realPlace(diskDirectory)
            val told = output("stat", "--file-system", "--format=%S", place.directory.toString()).toInt()
            place.store.blockSize(place.directory) shouldBe BlockStore.BlockSize(told, "the file system")
        }
    })

private fun openDescriptors(file: Path): Int =
    Files.list(Path.of("/proc/self/fd")).use { links ->
        links
            .filter { link ->
                runCatching { Files.readSymbolicLink(link) == file }.getOrDefault(false)
            }.count()
            .toInt()
    }

private fun output(vararg command: String): String {
    val process = ProcessBuilder(*command).redirectErrorStream(true).start()
    val text =
        process.inputStream
            .bufferedReader()
            .readText()
            .trim()
    check(process.waitFor() == 0) { "${command.joinToString(" ")}: $text" }
    return text
}

/** Runs [block] on a tmpfs of 1 MiB, which only root can mount. */
private fun withSmallFileSystem(block: (Place) -> Unit) {
    val mountPoint = realPlace(diskDirectory).directory
    val mounted = runCatching { output("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mountPoint.toString()) }
    if (mounted.isFailure) {
        println("NOT TESTED: a full disk, since no tmpfs could be mounted: ${mounted.exceptionOrNull()?.message}")
        return
    }
    try {
        block(Place(FileBlockStore(), mountPoint))
    } finally {
        output("umount", mountPoint.toString())
    }
}
