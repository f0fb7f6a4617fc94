package dev.cairn.sion

import dev.cairn.house.publicFaceContract
import io.kotest.core.spec.style.FunSpec

class SionFaceSpec : FunSpec({ include(publicFaceContract("sion-format")) })
