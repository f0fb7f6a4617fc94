package dev.cairn.item

import dev.cairn.grid.RandomStreams
import dev.cairn.state.Codec
import dev.cairn.state.RANDOM_SERIALIZER
import dev.cairn.state.SerialCodec
import dev.cairn.state.named
import kotlinx.serialization.builtins.MapSerializer
import kotlinx.serialization.builtins.serializer
import java.util.Random
import java.util.TreeMap

/**
 * The state of a random generator of each rank's own; the format of its bytes is the name of its algorithm. Another number of ranks seeds
 * it anew, or refuses it.
 *
 * @param remedy what to declare if it is refused, as [MissingRule.remedy]
 * @param generators the ones of the program, if it does not hand out their state itself
 */
internal class GeneratorItem<T>(
    override val id: ItemName,
    slot: Slot<T>,
    private val reseeding: Reseeding<T>? = null,
    private val remedy: String = "Declare a seed, with which it is seeded anew then",
    private val generators: () -> Collection<Any> = { emptyList() },
) : RankValueItem<T>(GeneratorKind, slot) {
    override val terms get() = layout.values.toList()

    override val rankChange get() = if (reseeding == null) RankChange.REFUSE else RankChange.RESEED

    override val refusalWithoutRule get() = MissingRule("a random generator of each rank", remedy)

    override val layout: Map<String, String>
        get() = super.layout + (reseeding?.let { mapOf(LAYOUT_SEED to "${it.seed}") } ?: emptyMap())

    override fun savedObjects() = super.savedObjects() + generators()

    override val noteOnOtherRanks: String?
        get() = reseeding?.let { "'$name' is seeded anew with ${it.seed}, since the number of ranks is another one." }

    override fun merge(values: List<T>, save: Int): T =
        checkNotNull(reseeding) { "'$name' has no seed to begin with: please report this" }.begin(save)
}

/** Random generators of each rank's own. On another number of ranks they are seeded anew, or the restart is refused. */
internal object GeneratorKind : RankValueKind("generator", moved = "read, and each rank seeds its generator anew")

/** The [seed] of the generators of all ranks on another number of them; [begin] returns the state of this rank's one. */
internal class Reseeding<T>(val seed: Long, val begin: (save: Int) -> T)

/** The generator that the program returns and takes by [get] and [set]. With a [seed], each [rank] has a seed of its own, made of it. */
internal fun <G : Any> generatorItem(
    id: ItemName,
    get: () -> G?,
    set: (G) -> Unit,
    seed: Long?,
    rank: () -> Int,
): GeneratorItem<*> {
    val generator = ProgramGenerator(id.today, get, set)
    val item = if (generator.type == Random::class.java) ::randomItem else ::fieldsItem
    return item(id, generator, seed?.let { Seeds(it, id.today, rank) })
}

private fun randomItem(id: ItemName, generator: ProgramGenerator<*>, seeds: Seeds?): GeneratorItem<*> {
    val slot = Slot(id.today, RANDOMS, { generator.now() as Random }, generator::replace)
    return GeneratorItem(id, slot, seeds?.let { Reseeding(it.ofAll) { save -> Random(it.own(save)) } })
}

private fun fieldsItem(id: ItemName, generator: ProgramGenerator<*>, seeds: Seeds?): GeneratorItem<*> {
    val fields = GeneratorFields(id.today, generator.type)
    val slot = Slot(id.today, fields.codec, { fields.read(generator.now()) }, { generator.change(fields, it) })
    val generators = { listOf(generator.now()) }
    if (seeds == null) return GeneratorItem(id, slot, generators = generators)
    val setSeed = fields.seeding()
    val reseeding =
        Reseeding(seeds.ofAll) { save ->
            val present = generator.now()
            setSeed(present, seeds.own(save))
            fields.read(present)
        }
    return GeneratorItem(id, slot, reseeding, generators = generators)
}

/**
 * The seed of the generators [of all][ofAll] ranks, and that of this [rank] for the generator [name], which is made of it. Otherwise two
 * generators of a rank give the same numbers.
 */
private class Seeds(val ofAll: Long, private val name: String, private val rank: () -> Int) {
    private val ofName by lazy {
        name.fold(RandomStreams(ofAll)) { streams, char -> RandomStreams(streams.bits(char.code.toLong(), 0, 0)) }
    }

    /** That after a restore of number [save]: a second change of the number of ranks does not repeat the numbers of the first. */
    fun own(save: Int): Long = ofName.bits(rank().toLong(), save.toLong(), 0)
}

/** The state of a generator of the program's own, as its functions return and take it. */
internal fun <T> ownGeneratorItem(
    id: ItemName,
    algorithm: String,
    codec: Codec<T>,
    get: () -> T,
    set: (T) -> Unit,
): GeneratorItem<T> = GeneratorItem(id, Slot(id.today, codec.named(algorithm), get, set), remedy = MERGE_REMEDY)

/** Several generators by their names, which a restore puts into [map]. */
internal fun generatorsItem(id: ItemName, map: MutableMap<String, Random>): GeneratorItem<*> {
    val generators = ProgramGenerators(map).apply { requireReplaceable(id.today) }
    val slot = Slot(id.today, RANDOMS_BY_NAME, generators::now, generators::replace)
    // Generators that cannot be stored are refused before the program computes.
    slot.encode()
    return GeneratorItem(id, slot, remedy = MERGE_REMEDY)
}

/** The generator of the item [name], of which the program always returns one of the same class. */
private class ProgramGenerator<G : Any>(
    private val name: String,
    private val get: () -> G?,
    private val set: (G) -> Unit,
) {
    val type: Class<*> = present().javaClass

    fun now(): G =
        present().also {
            if (it.javaClass != type) {
                throw notStorable(
                    name,
                    "the generator '$name' was declared as ${type.name}, and is ${it.javaClass.name} now.",
                )
            }
        }

    /** Puts [restored] in the place of the present one. */
    @Suppress("UNCHECKED_CAST") // Both are of the one class.
    fun replace(restored: Any) {
        set(restored as G)
        check(get() === restored) {
            "the setter of '$name' did not take the generator that it got, so that the function which returns it " +
                "returns another one: let it put that generator in the place of the old one"
        }
    }

    /** Gives the present one the [state] of its [fields]. */
    fun change(fields: GeneratorFields, state: List<Any?>) {
        val generator = now()
        fields.write(generator, state)
        set(generator)
    }

    private fun present(): G =
        get() ?: throw invalid(name, "the function that returns the generator '$name' returned null.")
}

/** The generators of the program in a [map]. The same ones are the same object, so that they can be put back. */
private class ProgramGenerators(private val map: MutableMap<String, Random>) {
    private var last: Map<String, Random> = emptyMap()

    fun now(): Map<String, Random> {
        val present = TreeMap(map)
        val isLast = present.keys == last.keys && present.all { (name, generator) -> last[name] === generator }
        if (!isLast) last = present
        return last
    }

    fun requireReplaceable(name: String) =
        try {
            map.putAll(TreeMap(map))
        } catch (refusal: UnsupportedOperationException) {
            throw invalid(
                name,
                "the map of the generators '$name' takes no entries, so nothing could be restored: " +
                    "declare one that can be changed, such as a HashMap.",
            ).apply { addSuppressed(refusal) }
        }

    fun replace(restored: Map<String, Random>) {
        map.keys.retainAll(restored.keys)
        map.putAll(restored)
    }
}

private val RANDOMS = SerialCodec(RANDOM_SERIALIZER, format = Random::class.java.name)
private val RANDOMS_BY_NAME =
    SerialCodec(MapSerializer(String.serializer(), RANDOM_SERIALIZER), format = RANDOMS.format)
private const val MERGE_REMEDY = "Declare it with perRank and PerRankRule.Merge, which begins anew"
