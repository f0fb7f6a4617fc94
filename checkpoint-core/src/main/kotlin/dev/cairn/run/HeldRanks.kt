package dev.cairn.run

import com.sun.management.HotSpotDiagnosticMXBean
import dev.cairn.ranks.Communicator
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.name
import kotlinx.coroutines.suspendCancellableCoroutine
import java.io.IOException
import java.lang.management.ManagementFactory
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
import kotlin.coroutines.Continuation
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException

/**
 * The ranks of this process that wait while its heap is written into a file, and until a trial has taken that. The trial finds here what
 * each suspended rank would do next: the runtime of coroutines need not lead to it.
 *
 * @property rank the lowest one of this process, which a trial reads from outside
 * @param rankCount the ranks in all processes, of which each has [ownCount]
 */
internal class HeldRanks private constructor(private val rank: Int, rankCount: Int, private val ownCount: Int) {
    private val processCount = rankCount / ownCount
    private val waiting = arrayOfNulls<Continuation<Unit>>(rankCount)
    private val arrivedCount = AtomicInteger()

    private suspend fun await(rank: Int, whenAllWait: () -> Unit): Unit =
        suspendCancellableCoroutine { own ->
            waiting[rank] = own
            val isLast = arrivedCount.incrementAndGet() == ownCount
            if (isLast) thread(isDaemon = true, name = "cairn-heap") { whenAllWait() }
        }

    /**
     * The file has its name when it is complete, until it was taken. The program ends if it cannot be written, since a trial waits for it.
     */
    private fun offerHeap(heaps: Path, files: BlockStore) {
        val trial = ProcessHandle.current().parent()
        val file = heaps.resolve(HeldHeap(rank, processCount, ProcessHandle.current().pid()).name)
        try {
            while (isAnyOnItsStack()) Thread.onSpinWait()
            val incomplete = file.resolveSibling("incomplete-${file.name}")
            requireHotSpot()
            dump(incomplete)
            files.rename(incomplete, file)
            while (files.exists(file)) {
                if (trial.isPresent && !trial.get().isAlive) throw IOException("the trial that would take it has ended")
                Thread.sleep(LOOK_MILLIS)
            }
            waiting.forEach { it?.resume(Unit) }
        } catch (failure: Exception) {
            val told = IOException("hold-heap: the heap was not written into $heaps: ${failure.message}", failure)
            waiting.forEach { it?.resumeWithException(told) }
        }
    }

    /** A rank that waits leaves the stack of its thread, and its variables are then in its continuation. */
    private fun isAnyOnItsStack(): Boolean {
        val calls = Thread.getAllStackTraces().values.flatMap { it.asList() }
        return calls.any { it.className == javaClass.name && it.methodName == AWAIT }
    }

    companion object {
        /** Static, so that it is a root of the heap. */
        @Volatile
        private var ofProcess: HeldRanks? = null

        /** All ranks call it, and wait until the file of their process' heap in the directory [heaps] was moved or deleted. */
        suspend fun awaitTaken(ranks: Communicator, heaps: Path, files: BlockStore) {
            val held =
                ranks.shareInProcess { ownCount ->
                    val lowest = if (ownCount == ranks.size) 0 else ranks.rank
                    HeldRanks(lowest, ranks.size, ownCount).also { ofProcess = it }
                }
            held.await(ranks.rank) { held.offerHeap(heaps, files) }
        }

        private fun requireHotSpot() {
            val doors = ManagementFactory.getPlatformManagementInterfaces().map { it.simpleName }
            if (DOOR !in doors) {
                throw IOException("only HotSpot can write it, and this is ${System.getProperty("java.vm.name")}")
            }
        }

        /** What is garbage is left out. The file is for its owner alone. */
        private fun dump(file: Path) =
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean::class.java).dumpHeap("$file", true)
    }
}

private const val DOOR = "HotSpotDiagnosticMXBean"
private const val AWAIT = "await"
private const val LOOK_MILLIS = 5L
