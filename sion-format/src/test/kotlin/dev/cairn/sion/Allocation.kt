package dev.cairn.sion

import com.sun.management.ThreadMXBean
import java.lang.management.ManagementFactory

private val threads = ManagementFactory.getThreadMXBean() as ThreadMXBean

/** How many bytes this thread has taken from the heap so far. */
fun allocatedBytes(): Long = threads.getThreadAllocatedBytes(Thread.currentThread().id)
