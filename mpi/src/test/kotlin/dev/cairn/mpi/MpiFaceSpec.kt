package dev.cairn.mpi

import dev.cairn.house.publicFaceContract
import io.kotest.core.spec.style.FunSpec
import java.nio.file.Files

/** Without Open MPI's Java bindings a part of the module is missing, and the face is not the one to compare. */
class MpiFaceSpec :
    FunSpec({
        if (Files.exists(MpiRun.home.resolve("lib/mpi.jar"))) {
            include(publicFaceContract("mpi"))
        } else {
            xtest("the public face") {}
        }
    })
