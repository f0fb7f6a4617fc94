package dev.cairn.save

import dev.cairn.checkpoint.DirectMemory
import dev.cairn.ranks.linesOf
import java.nio.file.Path

/**
 * The memory outside of the Java heap that copies of state may take in this process: at most [setting], if it is set, and never so much
 * that no buffers are left for the writes. Without the setting it is the smallest of three: the limit of the virtual machine, the memory
 * that containers leave, and the share of one of [processCount] processes of the free memory of the host.
 */
internal fun roomForCopies(setting: Long?, processCount: Int): Long {
    val limits = if (setting == null) limitsOfHost().map { it / maxOf(processCount, 1) } else listOf(setting)
    return (limits + directMemoryLeft()).min().coerceAtLeast(0)
}

private fun limitsOfHost(): List<Long> = listOfNotNull(availableOnHost(), leftByContainers())

/** The direct memory that the virtual machine has left besides buffers in use, frames and other needs. */
private fun directMemoryLeft() = DirectMemory.limit - DirectMemory.used - DirectMemory.RESERVE

/** Null where the system does not report it. */
private fun availableOnHost(): Long? =
    linesOf(Path.of("/proc/meminfo"))
        .find { it.startsWith("MemAvailable:") }
        ?.let { it.filter(Char::isDigit).toLong() * BYTES_OF_KIB }

/** The smallest amount that a Linux cgroup (version 2) of this process leaves; null where there is no limit. */
private fun leftByContainers(): Long? {
    val own = linesOf(Path.of("/proc/self/cgroup")).find { it.startsWith("0::") } ?: return null
    val groups = generateSequence(Path.of(own.removePrefix("0::"))) { it.parent }
    return groups.mapNotNull { leftBy(CGROUPS.resolve("$it".removePrefix("/"))) }.minOrNull()
}

private fun leftBy(group: Path): Long? {
    val limit = linesOf(group.resolve("memory.max")).firstOrNull()?.toLongOrNull() ?: return null
    val used = linesOf(group.resolve("memory.current")).firstOrNull()?.toLongOrNull() ?: return null
    // The kernel reclaims these pages before it refuses memory.
    val cached =
        linesOf(group.resolve("memory.stat"))
            .find { it.startsWith("inactive_file ") }
            ?.substringAfter(' ')
            ?.toLongOrNull()
    return limit - used + (cached ?: 0)
}

private val CGROUPS = Path.of("/sys/fs/cgroup")
private const val BYTES_OF_KIB = 1024L
