package dev.cairn.mpi

import dev.cairn.house.publicFaceContract
import io.kotest.core.spec.style.FunSpec

class MpiFaceSpec : FunSpec({ include(publicFaceContract("mpi")) })
