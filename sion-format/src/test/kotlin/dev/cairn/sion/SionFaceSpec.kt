package dev.cairn.sion

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.house.publicFace
import dev.cairn.house.publicFaceContract
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path

@Tags(JDK_DEPENDENT)
class SionFaceSpec :
    FunSpec({
        include(publicFaceContract("sion-format"))

        test("the dump shows exported types, and nothing of what a module keeps to itself") {
            val face = publicFace(Path.of("target", "classes"))
            face shouldContain "public static List<TaskRequest> equal(int,long)"
            face shouldNotContain "BlockGeometry chunk"
            face shouldNotContain "class FileSet"
        }
    })
