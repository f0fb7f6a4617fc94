package dev.cairn.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import org.w3c.dom.Element
import org.w3c.dom.NodeList
import java.nio.file.Path
import javax.xml.parsers.DocumentBuilderFactory
import kotlin.io.path.readLines

/** Each library that a pom asks for has its line on the page of dependencies, and the page names no other one. */
class DependenciesSpec :
    FunSpec({
        test("docs/decisions/0001-dependencies.md names what the poms ask for, and nothing else") {
            namedOnPage() shouldBe POMS.flatMap(::askedFor).toSortedSet()
        }
    })

private val ROOT: Path = Path.of("..", "..")

private val POMS =
    listOf(
        "",
        "sion-format/command",
        "sion-format",
        "checkpoint-core",
        "mpi",
        "examples",
        "examples/benchmarks",
        ".ci/house-rules",
    )

/** What each item of the list has before its colon. */
private fun namedOnPage(): Set<String> =
    ROOT
        .resolve("docs/decisions/0001-dependencies.md")
        .readLines()
        .filter { it.startsWith("- ") }
        .map { it.substringBefore(": ") }
        .flatMap { Regex("`([a-z0-9.-]+)`").findAll(it).map { name -> name.groupValues[1] } }
        .filterNot { it in MODULES }
        .toSortedSet()

/** Where a library is used, said there as well. */
private val MODULES = setOf("sion-format", "checkpoint-core", "examples")

/** Artifacts below `dependencies` of the project or a profile; those that are only managed or of a plug-in are not asked for. */
private fun askedFor(folder: String): List<String> {
    val pom =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(
            ROOT.resolve(folder).resolve("pom.xml").toFile(),
        )
    return pom
        .getElementsByTagName("dependency")
        .elements()
        .filter { it.parentNode.parentNode.nodeName in setOf("project", "profile") }
        .filter { it.text("groupId") != "dev.cairn" }
        .map { it.text("artifactId") }
}

private fun NodeList.elements(): List<Element> = (0 until length).map { item(it) as Element }

private fun Element.text(name: String): String = getElementsByTagName(name).item(0).textContent
