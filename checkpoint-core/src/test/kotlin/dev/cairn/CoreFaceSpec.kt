package dev.cairn

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.house.publicFaceContract
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec

@Tags(JDK_DEPENDENT)
class CoreFaceSpec : FunSpec({ include(publicFaceContract("checkpoint-core")) })
