package dev.cairn.proof.failure

import dev.cairn.sion.store.FileBlockStore
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.createDirectory

/** Takes all the room that there is. */
internal fun fill(file: Path) {
    FileBlockStore().create(file).use { opened ->
        var piece = 1 shl 16
        while (piece > 0) {
            val end = opened.size()
            val isWritten = runCatching { opened.write(end, ByteBuffer.allocate(piece)) }.isSuccess
            if (!isWritten) piece /= 2
        }
    }
}

/** Runs [block] on a tmpfs, which only root can mount. */
public suspend fun withSmallDisk(parent: Path, mebibytes: Int = 1, block: suspend (Path) -> Unit) {
    val mountPoint = parent.resolve("small").createDirectory()
    val mounted =
        ProcessBuilder(
            "mount",
            "-t",
            "tmpfs",
            "-o",
            "size=${mebibytes}m",
            "tmpfs",
            "$mountPoint",
        ).inheritIO().start()
    if (mounted.waitFor() != 0) {
        println("NOT TESTED: a full disk, since no tmpfs could be mounted")
        return
    }
    try {
        block(mountPoint)
    } finally {
        ProcessBuilder("umount", "$mountPoint").inheritIO().start().waitFor() shouldBe 0
    }
}
