package dev.cairn.item

import dev.cairn.item.Constructors.All
import dev.cairn.item.Constructors.Catching
import dev.cairn.item.Constructors.Checking
import dev.cairn.item.Constructors.Copying
import dev.cairn.item.Constructors.Counting
import dev.cairn.item.Constructors.Demanding
import dev.cairn.item.Constructors.Leaking
import dev.cairn.item.Constructors.Narrowing
import dev.cairn.item.Constructors.Nothing
import dev.cairn.item.Constructors.Several
import dev.cairn.item.Constructors.Swapping
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.io.InputStream

@JvmRecord
private data class Point(val x: Double, val names: List<String>, val owner: Any?)

@JvmRecord
private data class Sorted(val names: List<String>) {
    init {
        check(names.sorted() == names)
    }
}

/** Finds classes, but no class files, or [others] in their place. */
private class WithoutFiles(private val others: InputStream?) : ClassLoader(null) {
    override fun findClass(name: String): Class<*> {
        val file = Constructors::class.java.getResourceAsStream("${name.substringAfterLast('.')}.class")
        val bytes = checkNotNull(file).use { it.readAllBytes() }
        return defineClass(name, bytes, 0, bytes.size)
    }

    override fun getResourceAsStream(name: String) = others
}

/** Which constructors of records need no trial. */
class RecordConstructorSpec :
    FunSpec({
        test("constructors that put each parameter into its field, and may refuse null") {
            for (record in listOf(Nothing::class, All::class, Demanding::class, Several::class, Point::class)) {
                withClue(record) { keepsWhatItGets(record.java) shouldBe true }
            }
        }

        test("constructors that do anything else") {
            val java = listOf(Copying::class, Swapping::class, Counting::class, Leaking::class, Checking::class)
            for (record in java + listOf(Catching::class, Narrowing::class, Sorted::class, Countdown::class)) {
                withClue(record) { keepsWhatItGets(record.java) shouldBe false }
            }
        }

        test("a class whose file is not there, or is another one, or ends too early") {
            val name = All::class.java.name
            val file = checkNotNull(Constructors::class.java.getResourceAsStream("Constructors${'$'}All.class"))
            val half = file.use { it.readNBytes(it.available() / 2) }
            for (others in listOf(null, half.inputStream(), ByteArray(100).inputStream())) {
                keepsWhatItGets(WithoutFiles(others).loadClass(name)) shouldBe false
            }
        }

        test("the code of a graph whose records only keep what they get decides nothing") {
            fun walk(held: Any) = GraphWalk("graph", mapOf("Model" to held), formsOf(OWN_PACKAGE))
            walk(arrayListOf(Point(1.0, listOf(), null))).dependsOnCode shouldBe false
            walk(arrayListOf(Countdown(0))).dependsOnCode shouldBe true
        }
    })
