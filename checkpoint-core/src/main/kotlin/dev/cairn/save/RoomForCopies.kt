package dev.cairn.save

import dev.cairn.base.linesOf
import dev.cairn.checkpoint.DirectMemory
import java.nio.file.Path

/**
 * The memory outside of the Java heap that copies of state may take in this process: at most [setting], if there is one, and never
 * so much that nothing is left to write them with. Without a setting it is the least of what the virtual machine allows, what
 * containers leave, and the share of one of [processCount] processes of what is free on the host.
 */
internal fun roomForCopies(
    setting: Long?,
    processCount: Int,
): Long {
    val limits = if (setting == null) limitsOfHost().map { it / maxOf(processCount, 1) } else listOf(setting)
    return (limits + directMemoryLeft()).min().coerceAtLeast(0)
}

private fun limitsOfHost(): List<Long> = listOfNotNull(availableOnHost(), leftByContainers())

/** What the virtual machine leaves for direct buffers beside those in use, frames on their way, and others. */
private fun directMemoryLeft() = DirectMemory.limit - DirectMemory.used - DirectMemory.RESERVE

/** Null where the system does not tell. */
private fun availableOnHost(): Long? =
    linesOf(Path.of("/proc/meminfo"))
        .find { it.startsWith("MemAvailable:") }
        ?.let { it.filter(Char::isDigit).toLong() * BYTES_OF_KIB }

/** The least that any group of this process leaves by the rules of Linux's cgroups, version 2; null where there is no limit. */
private fun leftByContainers(): Long? {
    val own = linesOf(Path.of("/proc/self/cgroup")).find { it.startsWith("0::") } ?: return null
    val groups = generateSequence(Path.of(own.removePrefix("0::"))) { it.parent }
    return groups.mapNotNull { leftBy(CGROUPS.resolve("$it".removePrefix("/"))) }.minOrNull()
}

private fun leftBy(group: Path): Long? {
    val limit = linesOf(group.resolve("memory.max")).firstOrNull()?.toLongOrNull() ?: return null
    val used = linesOf(group.resolve("memory.current")).firstOrNull()?.toLongOrNull() ?: return null
    // The kernel takes these pages back before it refuses memory.
    val cached =
        linesOf(group.resolve("memory.stat"))
            .find { it.startsWith("inactive_file ") }
            ?.substringAfter(' ')
            ?.toLongOrNull()
    return limit - used + (cached ?: 0)
}

private val CGROUPS = Path.of("/sys/fs/cgroup")
private const val BYTES_OF_KIB = 1024L
