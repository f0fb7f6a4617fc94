package dev.cairn.examples.forgotten

/**
 * A line of `omissions.tsv`: if the environment variable `OMIT` is [id], the class [program] forgets a piece of its state, which is of
 * this [kind]. A person would call it by its [path].
 */
internal data class PlantedOmission(
    val id: String,
    val program: String,
    val kind: String,
    val what: String,
    val path: String,
) {
    companion object {
        val all: List<PlantedOmission> by lazy {
            val lines = checkNotNull(PlantedOmission::class.java.getResource("omissions.tsv")).readText().trim().lines()
            lines.drop(1).map { line ->
                val (id, program, kind, what, path) = line.split('\t')
                PlantedOmission(id, program, kind, what, path)
            }
        }
    }
}
