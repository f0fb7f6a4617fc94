package dev.cairn.mpi

import dev.cairn.ranks.TransportProvider
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.util.ServiceLoader

/** Specs run without Open MPI's mpi.jar on their class path, as programs do on machines that have none. */
class MissingBindingsSpec :
    FunSpec({
        test("the provider of the bindings is found without mpi.jar, and steps aside in a sentence") {
            val bindings = ServiceLoader.load(TransportProvider::class.java).single { it.name == "mpi.jar" }

            bindings.obstacle shouldBe "Open MPI's mpi.jar, of the same Open MPI as mpirun, is not on the class path"
        }
    })
