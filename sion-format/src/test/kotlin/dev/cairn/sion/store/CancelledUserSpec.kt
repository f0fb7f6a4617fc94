package dev.cairn.sion.store

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.fixture.bytes
import dev.cairn.sion.store.fixture.diskDirectory
import dev.cairn.sion.store.fixture.pattern
import dev.cairn.sion.store.fixture.realPlace
import dev.cairn.sion.store.fixture.write
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runInterruptible
import java.nio.ByteBuffer
import java.nio.channels.ClosedChannelException
import java.nio.channels.FileChannel
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.WRITE

@Tags(JDK_DEPENDENT)
class CancelledUserSpec :
    FunSpec({
        test("a cancelled coroutine does not close a shared file for its neighbours") {
            val place = realPlace(diskDirectory)
            val path = place.file("data", pattern(1, 1000))
            place.store.open(path, Access.READ_WRITE).use { file ->
                repeat(20) { round ->
                    cancelInTheMiddle { file.write(1000, pattern(2, 1000)) }
                    file.write(round * 50L, pattern(round, 50))
                    file.bytes(round * 50L, 50) shouldBe pattern(round, 50)
                }
                file.bytes(1000, 1000) shouldBe pattern(2, 1000)
            }
        }

        test("the same coroutine does close a bare channel, so the test above can fail") {
            val path = realPlace(diskDirectory).file("data", pattern(1, 1000))
            FileChannel.open(path, READ, WRITE).use { channel ->
                cancelInTheMiddle { runCatching { channel.write(ByteBuffer.wrap(pattern(2, 1000)), 1000) } }
                shouldThrow<ClosedChannelException> { channel.read(ByteBuffer.allocate(50), 0) }
            }
        }
    })

/** Lets a coroutine call [operation] again and again, and cancels it once it has begun. */
private suspend fun cancelInTheMiddle(operation: () -> Unit) =
    coroutineScope {
        val begun = CompletableDeferred<Unit>()
        val user =
            launch(Dispatchers.IO) {
                runInterruptible {
                    do {
                        operation()
                        begun.complete(Unit)
                    } while (!Thread.currentThread().isInterrupted)
                    operation()
                }
            }
        begun.await()
        user.cancelAndJoin()
    }
