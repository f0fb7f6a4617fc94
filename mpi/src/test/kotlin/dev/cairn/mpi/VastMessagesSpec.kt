package dev.cairn.mpi

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.longs.shouldBeLessThan

private const val LARGEST_SIZE = 2_147_483_640L
private const val MEBIBYTE = 1L shl 20

/** Messages of 2 GiB take 8 GiB of memory and some minutes, so they are sent with `-Dcairn.campaigns=full` only. */
class VastMessagesSpec :
    FunSpec({
        test("2 GiB in one message, and more than that from two ranks, arrive as they were")
            .config(enabledOrReasonIf = needs { Need.CAMPAIGN.given(Campaign.VAST_MESSAGES.isOn) and MpiRun.isThere }) {
                val lines = MpiRun.output(2, "dev.cairn.mpi.VastMessagesKt").lines()
                lines.filter {
                    it.startsWith(
                        "received: ",
                    ) || it.startsWith("gathered: ")
                } shouldContainExactlyInAnyOrder
                    listOf(
                        "received: $LARGEST_SIZE bytes of rank 0, 0 numbers wrong",
                        "gathered: 1200000000 bytes of rank 0, 0 numbers wrong",
                        "gathered: 1200000000 bytes of rank 1, 0 numbers wrong",
                    )
                val directMemory = lines.first { it.startsWith("direct memory: ") }.substringAfter(": ").toLong()
                println("the sender of $LARGEST_SIZE bytes had $directMemory bytes of direct memory")
                // A message is copied, since its sender may continue at once; but it is copied once.
                directMemory shouldBeLessThan LARGEST_SIZE + 64 * MEBIBYTE
            }
    })
