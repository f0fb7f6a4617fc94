package dev.cairn.house

import io.kotest.core.spec.style.funSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * A module's public face is the one that its `api` folder shows, so no change of it goes unnoticed. [loader] has its classes.
 * `-Dcairn.api.update=true` writes the new one there.
 */
fun publicFaceContract(module: String, loader: ClassLoader = OWN_LOADER) =
    funSpec {
        test("the public face is the one in api/$module.txt") {
            val dump = Path.of("api", "$module.txt")
            val face = publicFace(Path.of("target", "classes"), loader)
            if (System.getProperty("cairn.api.update").toBoolean()) {
                dump.parent.createDirectories()
                dump.writeText(face)
            }

            (if (dump.exists()) dump.readText() else "") shouldBe face
        }

        test("no class that users can name is a data class") {
            dataClassesOf(visibleTypes(Path.of("target", "classes"), loader)).shouldBeEmpty()
        }
    }
