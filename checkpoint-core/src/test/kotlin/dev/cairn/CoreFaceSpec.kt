package dev.cairn

import dev.cairn.house.publicFaceContract
import io.kotest.core.spec.style.FunSpec

class CoreFaceSpec : FunSpec({ include(publicFaceContract("checkpoint-core")) })
