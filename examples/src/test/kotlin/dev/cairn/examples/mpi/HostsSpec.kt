package dev.cairn.examples.mpi

import dev.cairn.examples.lookAround
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.sion.Multifile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import kotlin.io.path.createDirectory
import kotlin.io.path.exists

/** Ranks on several hosts: simulated ones, and those that root can make on one machine. */
class HostsSpec :
    FunSpec({
        val twoHosts = RankPlan(count = 4, hosts = { "node${it / 2}" })

        test("ranks of simulated hosts find their neighbours, their host's own directory, and its own file") {
            val directory = tempdir().toPath()
            listOf("node0", "node1").forEach { directory.resolve(it).createDirectory() }
            val multifile = directory.resolve("hosts.sion")

            val told = ranks(twoHosts) { lookAround(directory.resolve(host), multifile) }

            told.first() shouldContainExactly
                listOf("node0" to "0, 1", "node0" to "0, 1", "node1" to "2, 3", "node1" to "2, 3").mapIndexed {
                    rank,
                    (host, found),
                    ->
                    "rank $rank is on $host, with ranks [$found]; a marker in ${directory.resolve(
                        host,
                    )} says 'This is $host.'"
                }
            directory.resolve("hosts.sion.000001").exists() shouldBe true
            Multifile.open(multifile).use { it.taskCount() shouldBe 4 }
        }

        test("a directory that two hosts share is noticed, where each should have its own") {
            val shared = tempdir().toPath()
            shouldThrow<RunFailedException> {
                ranks(twoHosts) { lookAround(shared, shared.resolve("hosts.sion")) }
            }.message shouldContain "'write a marker file' was abandoned on all ranks"
        }

        test("a host of a job dies, the job ends, and continues on the other host").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given(PROCESSES == 4) and Hosts.areThere },
        ) {
            val (code, output) = Hosts.run("scenes/hosts", *Hosts.arguments.toTypedArray())
            withClue(output) { code shouldBe 0 }
            output shouldContain
                "rank 3 is on nodeb, with ranks [2, 3]; a marker in /run/hosts/local says 'This is nodeb.'"
            output shouldContain "hosts.sion: good; tasks 4"
            output shouldContain "of 4 ranks on 3 ranks"
            output shouldContain "the same, to the last bit"
        }

        test(
            "a job that saves to the disks of its hosts is killed, a disk is lost, and copies complete the save",
        ).config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given(PROCESSES == 4) and Hosts.areThere },
        ) {
            val (code, output) = Hosts.run("scenes/hosts", *Hosts.arguments.toTypedArray(), "local")
            withClue(output) { code shouldBe 0 }
            output shouldContain Regex("no rank finds data.sion.000001 on nodeb below \\S+ or on nodec below")
            output shouldContain
                "committed: data.sion from nodea; data.sion.000001, data.sion.000002 from nodec"
            output shouldContain Regex("restored save \\d+, step \\d+ of 3 ranks on 3 ranks")
            output shouldContain "the same, to the last bit"
        }

        test("a host that falls silent ends the job within the time that mpirun was given").config(
            enabledOrReasonIf = needs { Hosts.areThere },
        ) {
            val (code, output) = Hosts.run("bash", "-c", SILENCE)
            withClue(output) { code shouldNotBe 0 }
            output shouldContain "lost communication with a remote daemon"
        }
    })

private val SILENCE =
    """
    export OMPI_MCA_oob_tcp_keepalive_time=1 OMPI_MCA_oob_tcp_keepalive_intvl=1 OMPI_MCA_oob_tcp_keepalive_probes=2
    mpirun --allow-run-as-root --host nodea:1,nodeb:1 sh -c "touch ${'$'}HOSTS/shared/\${'$'}(hostname); exec sleep 600" &
    until [[ -e ${'$'}HOSTS/shared/nodea && -e ${'$'}HOSTS/shared/nodeb ]]; do sleep 0.1; done
    ../mpi/hosts cut nodeb
    wait ${'$'}!
    """.trimIndent()
