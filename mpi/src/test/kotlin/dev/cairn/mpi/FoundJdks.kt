package dev.cairn.mpi

import org.w3c.dom.Element
import java.nio.file.Files
import java.nio.file.Path
import javax.xml.parsers.DocumentBuilderFactory

/** Where the build of the module mpi lists the JDKs of this machine; the specs of other modules look from their own folders. */
private val LIST: Path =
    generateSequence(Path.of("").toAbsolutePath()) { it.parent }
        .map { it.resolve("mpi/target/jdks.xml") }
        .firstOrNull(Files::exists) ?: Path.of("mpi/target/jdks.xml")

private const val FIRST_WITH_FOREIGN_FUNCTIONS = 22

/** The Java of the newest JDK, if it is one that can call libmpi. */
internal val foreignJava: String? =
    foundJdks().maxByOrNull { it.version }?.takeIf { it.version >= FIRST_WITH_FOREIGN_FUNCTIONS }?.java

private class FoundJdk(val version: Int, val java: String)

private fun foundJdks(): List<FoundJdk> {
    if (!Files.exists(LIST)) return emptyList()
    val list = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(LIST.toFile())
    val jdks = list.getElementsByTagName("toolchain")
    return List(jdks.length) { jdks.item(it) as Element }.map { jdk ->
        FoundJdk(
            version = jdk.text("version").takeWhile(Char::isDigit).toInt(),
            java = "${Path.of(jdk.text("jdkHome"), "bin", "java")}",
        )
    }
}

private fun Element.text(name: String): String = getElementsByTagName(name).item(0).textContent
