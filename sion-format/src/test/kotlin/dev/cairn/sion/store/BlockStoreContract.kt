package dev.cairn.sion.store

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.funSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.comparables.shouldBeGreaterThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.DirectoryNotEmptyException
import java.nio.file.FileAlreadyExistsException
import java.nio.file.FileSystemException
import java.nio.file.NoSuchFileException
import java.nio.file.NotDirectoryException

/** What every [BlockStore] promises about names and directories. [newPlace] is called once a test. */
fun blockStoreContract(newPlace: () -> Place) =
    funSpec {
        test("open finds the bytes that were written through another handle") {
            val place = newPlace()
            val file = place.file("data", pattern(1, 100))
            place.content(file) shouldBe pattern(1, 100)
        }

        test("open refuses a missing file, and creates none") {
            val place = newPlace()
            for (access in Access.entries) {
                shouldThrow<NoSuchFileException> { place.store.open(place.path("none"), access) }
                    .message shouldContain place.path("none").toString()
            }
            place.store.list(place.directory).shouldBeEmpty()
        }

        test("open refuses a directory") {
            val place = newPlace()
            val directory = place.directory("sub")
            for (access in Access.entries) {
                shouldThrow<FileSystemException> { place.store.open(directory, access) }
                    .message shouldContain directory.toString()
            }
        }

        test("a name below a file leads nowhere") {
            val place = newPlace()
            val below = place.file("data").resolve("below")
            shouldThrow<FileSystemException> { place.store.open(below, Access.READ) }
            shouldThrow<FileSystemException> { place.store.create(below) }
            shouldThrow<FileSystemException> { place.store.makeDirectory(below) }
        }

        test("create makes an empty file, open for reading and writing") {
            val place = newPlace()
            place.store.create(place.path("data")).use { file ->
                file.size() shouldBe 0
                file.write(0, pattern(1, 10))
                file.content() shouldBe pattern(1, 10)
            }
        }

        test("create refuses a name that is taken, and leaves its bytes alone") {
            val place = newPlace()
            val taken = listOf(place.file("data", pattern(1, 10)), place.directory("sub"))
            for (path in taken) {
                shouldThrow<FileAlreadyExistsException> { place.store.create(path) }
                    .message shouldContain path.toString()
            }
            place.content(taken.first()) shouldBe pattern(1, 10)
        }

        test("create refuses a missing parent") {
            val place = newPlace()
            shouldThrow<NoSuchFileException> { place.store.create(place.path("none").resolve("data")) }
        }

        test("of many threads that create the same name, one succeeds") {
            val place = newPlace()
            val results =
                inThreads(8) {
                    runCatching { place.store.create(place.path("data")).close() }
                }
            results.count { it.isSuccess } shouldBe 1
            results.mapNotNull { it.exceptionOrNull() }.filterIsInstance<FileAlreadyExistsException>() shouldHaveSize 7
        }

        test("exists sees files and directories, and nothing else") {
            val place = newPlace()
            place.store.exists(place.file("data")) shouldBe true
            place.store.exists(place.directory("sub")) shouldBe true
            place.store.exists(place.path("none")) shouldBe false
            place.store.exists(place.path("none").resolve("below")) shouldBe false
        }

        test("list names what lies directly inside, sorted") {
            val place = newPlace()
            val sub = place.directory("m")
            place.store.create(sub.resolve("below")).close()
            val names = listOf("z", "a.000001", "a", "B", "10", "9").onEach { place.file(it) }
            place.store.list(place.directory) shouldContainExactly (names + "m").sorted().map(place::path)
            place.store.list(sub) shouldContainExactly listOf(sub.resolve("below"))
        }

        test("list refuses what is no directory") {
            val place = newPlace()
            shouldThrow<NoSuchFileException> { place.store.list(place.path("none")) }
            shouldThrow<NotDirectoryException> { place.store.list(place.file("data")) }
        }

        test("makeDirectory makes one empty directory") {
            val place = newPlace()
            place.store.list(place.directory("sub")).shouldBeEmpty()
        }

        test("makeDirectory refuses a name that is taken, and a missing parent") {
            val place = newPlace()
            for (path in listOf(place.file("data"), place.directory("sub"))) {
                shouldThrow<FileAlreadyExistsException> { place.store.makeDirectory(path) }
                    .message shouldContain path.toString()
            }
            shouldThrow<NoSuchFileException> { place.store.makeDirectory(place.path("none").resolve("sub")) }
        }

        test("rename gives the file a new name") {
            val place = newPlace()
            val from = place.file("from", pattern(1, 10))
            place.store.rename(from, place.path("to"))
            place.store.list(place.directory) shouldContainExactly listOf(place.path("to"))
            place.content(place.path("to")) shouldBe pattern(1, 10)
        }

        test("rename replaces a file, and open handles stay with their files") {
            val place = newPlace()
            val from = place.file("from", pattern(1, 10))
            val to = place.file("to", pattern(2, 20))
            place.store.open(from, Access.READ_WRITE).use { renamed ->
                place.store.open(to, Access.READ_WRITE).use { replaced ->
                    place.store.rename(from, to)
                    replaced.content() shouldBe pattern(2, 20)
                    replaced.write(0, pattern(3, 20))
                    renamed.write(10, pattern(4, 5))
                }
            }
            place.content(to) shouldBe pattern(1, 10) + pattern(4, 5)
            place.store.list(place.directory) shouldContainExactly listOf(to)
        }

        test("rename onto the same name changes nothing") {
            val place = newPlace()
            val file = place.file("data", pattern(1, 10))
            place.store.rename(file, file)
            place.content(file) shouldBe pattern(1, 10)
        }

        test("rename refuses a missing file") {
            val place = newPlace()
            val to = place.file("to", pattern(1, 10))
            shouldThrow<NoSuchFileException> { place.store.rename(place.path("none"), to) }
            place.content(to) shouldBe pattern(1, 10)
        }

        test("rename refuses to leave the directory") {
            val place = newPlace()
            val from = place.file("from")
            val to = place.directory("sub").resolve("to")
            shouldThrow<IllegalArgumentException> { place.store.rename(from, to) }
                .message shouldBe "$from cannot be renamed to $to: they are not in one directory"
            place.store.exists(from) shouldBe true
        }

        test("rename refuses directories on either side") {
            val place = newPlace()
            val file = place.file("data")
            val directory = place.directory("sub")
            shouldThrow<IllegalArgumentException> { place.store.rename(directory, place.path("other")) }
                .message shouldBe "$directory is a directory; only files are renamed"
            shouldThrow<FileSystemException> { place.store.rename(file, directory) }
            place.store.list(place.directory) shouldContainExactly listOf(file, directory)
        }

        test("delete removes files and empty directories") {
            val place = newPlace()
            place.store.delete(place.file("data"))
            place.store.delete(place.directory("sub"))
            place.store.list(place.directory).shouldBeEmpty()
        }

        test("delete refuses a directory that is not empty, and what does not exist") {
            val place = newPlace()
            val directory = place.directory("sub")
            place.store.create(directory.resolve("data")).close()
            shouldThrow<DirectoryNotEmptyException> { place.store.delete(directory) }
                .message shouldContain directory.toString()
            shouldThrow<NoSuchFileException> { place.store.delete(place.path("none")) }
            place.store.exists(directory.resolve("data")) shouldBe true
        }

        test("a deleted file stays readable and writable through its handles, and its name is free") {
            val place = newPlace()
            val path = place.file("data", pattern(1, 10))
            place.store.open(path, Access.READ_WRITE).use { deleted ->
                place.store.delete(path)
                place.file("data", pattern(2, 5))
                deleted.write(10, pattern(3, 10))
                deleted.content() shouldBe pattern(1, 10) + pattern(3, 10)
            }
            place.content(path) shouldBe pattern(2, 5)
        }

        test("forceDirectory takes directories only") {
            val place = newPlace()
            val file = place.file("data")
            place.store.forceDirectory(place.directory)
            shouldThrow<NotDirectoryException> { place.store.forceDirectory(file) }
            shouldThrow<NoSuchFileException> { place.store.forceDirectory(place.path("none")) }
        }

        test("freeSpace answers for files and directories that exist") {
            val place = newPlace()
            place.store.freeSpace(place.directory) shouldBeGreaterThan 0
            place.store.freeSpace(place.file("data")) shouldBeGreaterThan 0
            shouldThrow<NoSuchFileException> { place.store.freeSpace(place.path("none")) }
        }

        test("blockSize answers for files and directories that exist, and says who told") {
            val place = newPlace()
            val size = place.store.blockSize(place.directory)
            size.bytes() shouldBeGreaterThanOrEqualTo 1
            size.source().isBlank() shouldBe false
            place.store.blockSize(place.file("data")) shouldBe size
            shouldThrow<NoSuchFileException> { place.store.blockSize(place.path("none")) }
        }

        test("an interrupt neither breaks a call nor is lost") {
            val place = newPlace()
            val (data, sub) = place.path("data") to place.path("sub")
            with(place.store) {
                interrupted { create(data).close() }
                interrupted { open(data, Access.READ).close() }
                interrupted { exists(data) } shouldBe true
                interrupted { list(place.directory) } shouldContainExactly listOf(data)
                interrupted { makeDirectory(sub) }
                interrupted { rename(data, place.path("renamed")) }
                interrupted { delete(place.path("renamed")) }
                interrupted { forceDirectory(place.directory) }
                interrupted { freeSpace(place.directory) }
                interrupted { blockSize(place.directory) }
                list(place.directory) shouldContainExactly listOf(sub)
            }
        }

        include(blockFileContract(newPlace))
    }
