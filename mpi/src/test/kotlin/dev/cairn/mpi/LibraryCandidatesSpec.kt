package dev.cairn.mpi

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe

class LibraryCandidatesSpec :
    FunSpec({
        val openMpi = mapOf("OMPI_COMM_WORLD_SIZE" to "2")
        val standard = listOf("libmpi_abi.so.1", "libmpi_abi.so")
        val mpich = mapOf("PMI_RANK" to "0", "PMI_SIZE" to "2")

        test("a library that the program names is the only one") {
            LibraryCandidates.of("/opt/libmpi.so", openMpi) shouldBe listOf("/opt/libmpi.so")
        }

        test("a process of Open MPI's mpirun loads Open MPI") {
            LibraryCandidates.of(null, openMpi) shouldBe listOf("libmpi.so.40", "libmpi.so") + standard
        }

        test("a process of Slurm with PMIx loads Open MPI, and one with PMI loads MPICH") {
            LibraryCandidates.of(null, mapOf("PMIX_RANK" to "0")).first() shouldBe "libmpi.so.40"
            LibraryCandidates.of(null, mapOf("PMI_FD" to "3")).first() shouldBe "libmpi.so.12"
        }

        test("a process of Hydra loads MPICH under any of its names") {
            LibraryCandidates.of(null, mpich) shouldBe
                listOf("libmpi.so.12", "libmpich.so.12", "libmpi.so") + standard
        }

        test("the directories that launchers and modules name come first") {
            LibraryCandidates.of(null, openMpi + ("OPAL_PREFIX" to "/opt/ompi")).first() shouldBe
                "/opt/ompi/lib/libmpi.so.40"
            LibraryCandidates.of(null, mpich + ("I_MPI_ROOT" to "/opt/intel")).first() shouldBe
                "/opt/intel/lib/release/libmpi.so.12"
            LibraryCandidates.of(null, mpich + ("CRAY_MPICH_DIR" to "/opt/cray")).first() shouldBe
                "/opt/cray/lib-abi-mpich/libmpi.so.12"
        }

        test("a process without a launcher takes either, Open MPI first") {
            val names = LibraryCandidates.of(null, emptyMap())
            names.first() shouldBe "libmpi.so.40"
            names shouldContainAll listOf("libmpi.so.12", "libmpich.so.12")
        }

        test("the library of another MPI is not tried, since each process would believe itself to be alone") {
            LibraryCandidates.of(null, mpich) shouldNotContain "libmpi.so.40"
            LibraryCandidates.of(null, openMpi) shouldNotContain "libmpi.so.12"
        }
    })
