package dev.cairn.house

import dev.cairn.sion.TaskRequest
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path

class PublicFaceSpec :
    FunSpec({
        val face = publicFace(Path.of("target", "classes"))

        test("the dump shows exported types, and nothing of what a module keeps to itself") {
            face shouldContain "public static List<TaskRequest> equal(int,long)"
            face shouldNotContain "BlockGeometry chunk"
            face shouldNotContain "class FileSet"
        }

        test("what Kotlin calls internal counts as hidden although the class file calls it public") {
            KotlinFace.of(SomethingInternal::class.java).isInternal shouldBe true
            KotlinFace.of(HalfHidden::class.java).isInternal shouldBe false
            KotlinFace.of(HalfHidden::class.java).hiddenMembers.map { it.substringBefore('$') } shouldContain "hidden"
            KotlinFace.of(TaskRequest::class.java).isInternal shouldBe false
        }
    })

internal class SomethingInternal

class HalfHidden {
    internal fun hidden() = 1

    fun shown() = hidden()
}
