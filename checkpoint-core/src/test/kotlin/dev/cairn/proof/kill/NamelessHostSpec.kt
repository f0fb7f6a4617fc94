package dev.cairn.proof.kill

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import kotlin.io.path.Path
import kotlin.io.path.readText

/** A host whose name resolves to no address, as those of containers do. */
class NamelessHostSpec :
    FunSpec({
        test("a program that was killed there goes on at once").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given(Campaign.STARTED_PROGRAMS.isOn) },
        ) {
            val directory = tempdir().toPath()
            val noHosts = listOf("-Djdk.net.hosts.file=${Files.createFile(directory.resolve("hosts"))}")
            val store = directory.resolve("nameless.cairn")
            val kernelName = Path("/proc/sys/kernel/hostname").readText().trim()
            val killed = DriftProcess(store, 2, Pause("step 6"), java = noHosts)
            killed.use {
                it.hearUntil { word -> word == EventPipe.WAITING }
                it.kill() shouldBe DriftProcess.SIGKILLED
            }
            DriftProcess(store, 3, java = noHosts).use { next ->
                next.end() shouldBe 0
                next.complaints() shouldContain
                    Regex("took the store over from process ${killed.pid} on $kernelName, .*: that process has ended")
            }
        }
    })
