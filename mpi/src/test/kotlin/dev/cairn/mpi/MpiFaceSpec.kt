package dev.cairn.mpi

import dev.cairn.house.publicFaceContract
import io.kotest.core.spec.style.FunSpec

/** Without Open MPI the module is empty, and there is no face to compare. */
class MpiFaceSpec :
    FunSpec({
        if (MpiRun.isThere) include(publicFaceContract("mpi")) else xtest("the public face") {}
    })
