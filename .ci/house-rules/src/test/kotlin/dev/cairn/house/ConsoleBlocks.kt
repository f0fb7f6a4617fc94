package dev.cairn.house

/** What stands before a command in a block of a page. */
const val PROMPT = "$ "

/** The lines of each block of a page that shows commands and what they print. */
fun consoleBlocks(page: List<String>): List<List<String>> {
    val starts = page.indices.filter { page[it] == "```console" }
    return starts.map { start -> page.drop(start + 1).takeWhile { it != "```" } }
}
