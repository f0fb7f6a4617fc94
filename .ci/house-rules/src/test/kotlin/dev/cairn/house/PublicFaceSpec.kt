package dev.cairn.house

import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.nio.file.Path

@Tags(JDK_DEPENDENT)
class PublicFaceSpec :
    FunSpec({
        test("what Kotlin calls internal counts as hidden although the class file calls it public") {
            KotlinFace.of(SomethingInternal::class.java).isInternal shouldBe true
            KotlinFace.of(HalfHidden::class.java).isInternal shouldBe false
            KotlinFace.of(HalfHidden::class.java).hiddenMembers.map { it.substringBefore('$') } shouldContain "hidden"
            KotlinFace.of(Path::class.java).isInternal shouldBe false
        }

        test("a Kotlin class is shown as Java and as Kotlin callers see it") {
            describe(Shown::class.java) shouldBe
                """
                public final class Shown
                  public Shown()
                  public Shown(int)
                  public final int plain()
                  public static final Shown${'$'}Companion Companion
                  public static final int OFFERED
                  kotlin: constructor(count: Int = …)
                  kotlin: fun plain(): Int
                  kotlin: inline fun <reified T: Any> typed(value: T?): List<T>
                  kotlin: suspend fun waits(each: (suspend (Int) -> Unit), until: Long = …): String?
                  kotlin: var String.width: Int

                """.trimIndent()
        }

        context("each change that Kotlin callers notice changes the dump") {
            val before = describe(Before::class.java).body()
            mapOf(
                "suspend" to Suspends::class.java,
                "a default value" to HasDefault::class.java,
                "the name of a parameter" to Renamed::class.java,
                "nullability of a parameter" to TakesNull::class.java,
                "nullability of a result" to GivesNull::class.java,
                "reified" to Reified::class.java,
            ).forEach { (change, after) ->
                test(change) { describe(after).body() shouldNotBe before }
            }
            test("and one that is none does not") { describe(Same::class.java).body() shouldBe before }
        }

        test("functions of a file that is hidden from Java are shown, under the name of the file") {
            val file = Class.forName("dev.cairn.house.PlantedFileKt")

            isVisible(file) shouldBe true
            describe(file) shouldBe
                "functions of PlantedFileKt\n  kotlin: suspend fun forKotlinAlone(count: Int = …): Int\n"
        }

        test("data classes that users can name are found, also nested ones, but no data objects or internal ones") {
            val faces = listOf(PlainFace::class, ObjectFace::class, DataFace::class, DataFace.Part::class)

            dataClassesOf(faces.map { it.java }) shouldBe
                listOf("dev.cairn.house.DataFace", "dev.cairn.house.DataFace\$Part")
            isVisible(OwnData::class.java) shouldBe false
        }
    })

private fun String.body() = substringAfter('\n').lines().filter { it.startsWith("  kotlin: ") && "constructor" !in it }
