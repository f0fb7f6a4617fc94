package dev.cairn.ranks

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.FileBlockStore
import java.io.IOException
import java.net.InetAddress
import java.net.UnknownHostException
import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets
import java.nio.file.Path

/** Of a small file that the kernel makes as it is read; empty where there is none, as on other systems. */
internal fun linesOf(file: Path): List<String> {
    val bytes = ByteBuffer.allocate(LARGEST_FILE)
    try {
        FileBlockStore().open(file, Access.READ).use { it.read(0, bytes) }
    } catch (_: IOException) {
        return emptyList()
    }
    return StandardCharsets.UTF_8.decode(bytes.flip()).lines()
}

/** The name of this machine. That of a container often resolves to no address: then it is the one that Linux knows; null without one. */
internal val machineName: String? by lazy {
    try {
        InetAddress.getLocalHost().hostName
    } catch (_: UnknownHostException) {
        kernelName()
    }
}

private fun kernelName(): String? =
    linesOf(Path.of("/proc/sys/kernel/hostname")).firstOrNull()?.trim()?.takeIf { it.isNotEmpty() }

private const val LARGEST_FILE = 1 shl 16

/** The plan of [count] ranks in this process, on its machine. */
internal fun planHere(count: Int): RankPlan = RankPlan(count).withHosts { machineName ?: "localhost" }
