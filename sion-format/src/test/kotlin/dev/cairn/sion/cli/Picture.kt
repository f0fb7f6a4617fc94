package dev.cairn.sion.cli

import org.w3c.dom.Element
import org.w3c.dom.NodeList
import java.io.ByteArrayInputStream
import javax.xml.parsers.DocumentBuilderFactory

/** A picture of `sion map`, taken apart by an XML parser. */
class Picture(bytes: ByteArray) {
    private val root: Element =
        DocumentBuilderFactory
            .newInstance()
            .newDocumentBuilder()
            .parse(ByteArrayInputStream(bytes))
            .documentElement

    val texts: List<String> = root.getElementsByTagName("text").elements().map { it.textContent }

    /** The rows of chunks, of all files. */
    val rows: List<List<Box>> =
        root.getElementsByTagName("g").elements().map { row -> row.getElementsByTagName("rect").boxes() }

    /** Everything that has a meaning of its own, which the swatches of the legend have not. */
    val parts: List<Box> = root.getElementsByTagName("rect").boxes()

    val width: Double = root.getAttribute("width").toDouble()

    private fun NodeList.boxes() =
        elements().filter { it.getElementsByTagName("title").length > 0 }.map {
            Box(
                it.getAttribute("class").split(' '),
                it.getAttribute("x").toDouble(),
                it.getAttribute("width").toDouble(),
                it.textContent,
            )
        }

    private fun NodeList.elements() = List(length) { item(it) as Element }
}

/** A rectangle: its styles, where it begins and how wide it is, and what it tells. */
data class Box(val styles: List<String>, val left: Double, val width: Double, val title: String)
