package dev.cairn.sion.store

import dev.cairn.house.JDK_DEPENDENT
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

private const val KIB = 1024
private const val MIB = 1024 * KIB

@Tags(JDK_DEPENDENT)
class PreferredBlockSizeSpec :
    FunSpec({
        test("a local file system is believed, up to 32 MiB") {
            for (bytes in listOf(1, 512, 1000, 4 * KIB, 64 * KIB, 32 * MIB)) {
                PreferredBlockSize.choose("ext4", bytes.toLong()) shouldBe
                    BlockStore.BlockSize(bytes, "the file system")
            }
        }

        test("of a parallel or network file system the table knows more") {
            val expected =
                mapOf(
                    "lustre" to 4 * MIB,
                    "gpfs" to 4 * MIB,
                    "beegfs" to 512 * KIB,
                    "ceph" to 4 * MIB,
                    "panfs" to 2 * MIB,
                    "nfs" to MIB,
                    "nfs4" to MIB,
                    "cifs" to MIB,
                    "smb3" to MIB,
                    "fuse.glusterfs" to 2 * MIB,
                    "fuse.sshfs" to 2 * MIB,
                )
            for ((type, bytes) in expected) {
                PreferredBlockSize.choose(type, 4096) shouldBe BlockStore.BlockSize(bytes, "the table for $type")
            }
        }

        test("nonsense gives the 2 MiB of SIONlib") {
            for (reported in listOf(0, -1, Long.MIN_VALUE, 32L * MIB + 1, 1L shl 32, Long.MAX_VALUE)) {
                PreferredBlockSize.choose("ext4", reported) shouldBe
                    BlockStore.BlockSize(2 * MIB, "the default, because ext4 reports $reported bytes")
            }
        }

        test("fuseblk is a local disk") {
            PreferredBlockSize.choose("fuseblk", 4096) shouldBe BlockStore.BlockSize(4096, "the file system")
        }
    })
