package dev.cairn.item

/**
 * The objects of a graph and their numbers, from 1 on, by identity; 0 stands for null. A slot of the table holds the identity hash of an
 * object and its number, so that growing reads no object.
 */
internal class GraphNumbers {
    private var slots = LongArray(FIRST_SLOTS)
    private var objects = arrayOfNulls<Any>(FIRST_SLOTS / 2)

    /** So that reading has an effect. */
    private var prepared = 0L

    /** The highest number. */
    var count = 0
        private set

    operator fun get(number: Int): Any = checkNotNull(objects[number])

    /** The number of [found]; 0 if it has none. */
    fun of(found: Any): Int = slots[placeOf(found, System.identityHashCode(found))].toInt()

    /** The number of [found], the next one if it had none; [hash] is its identity hash. */
    fun add(found: Any, hash: Int = System.identityHashCode(found)): Int {
        val place = placeOf(found, hash)
        val present = slots[place].toInt()
        if (present != 0) return present
        append(found)
        slots[place] = slotOf(hash, count)
        if (count > slots.size / 8 * 5) grow()
        return count
    }

    fun addAll(others: GraphNumbers) {
        for (number in 1..others.count) add(others[number])
    }

    /** Reads the slots of what is looked up next, all at once, which takes less time than one by one. */
    fun prepare(hashes: IntArray, count: Int) {
        var read = 0L
        for (index in 0 until count) read = read or slots[hashes[index] and (slots.size - 1)]
        prepared = read
    }

    /** Gives each object the number that stands in [numbers] at its present one. */
    fun renumber(numbers: IntArray) {
        for (place in slots.indices) {
            val slot = slots[place]
            if (slot != 0L) slots[place] = slotOf(hashOf(slot), numbers[slot.toInt()])
        }
        val before = objects
        objects = arrayOfNulls(count + 1)
        for (number in 1..count) objects[numbers[number]] = before[number]
    }

    private fun append(found: Any?) {
        count++
        if (count == objects.size) objects = objects.copyOf(minOf(objects.size * 2L, MOST_OBJECTS).toInt())
        objects[count] = found
    }

    private fun placeOf(found: Any, hash: Int): Int {
        val slots = slots
        var place = hash and (slots.size - 1)
        while (true) {
            val slot = slots[place]
            if (slot == 0L || (hashOf(slot) == hash && objects[slot.toInt()] === found)) return place
            place = (place + 1) and (slots.size - 1)
        }
    }

    private fun grow() {
        if (slots.size >= MOST_SLOTS) throw GraphRefusal("is one of more than $count objects", "divide the graph")
        val before = slots
        slots = LongArray(before.size * 2)
        for (slot in before) {
            if (slot == 0L) continue
            var place = hashOf(slot) and (slots.size - 1)
            while (slots[place] != 0L) place = (place + 1) and (slots.size - 1)
            slots[place] = slot
        }
    }

    private fun slotOf(hash: Int, number: Int) = (hash.toLong() shl Int.SIZE_BITS) or number.toLong()

    private fun hashOf(slot: Long) = (slot ushr Int.SIZE_BITS).toInt()

    companion object {
        /** [objects] with the numbers that are their indices; that at 0 is null. An object that stands there twice has the lower one. */
        fun of(objects: Array<Any?>): GraphNumbers =
            GraphNumbers().also { numbers ->
                for (index in 1 until objects.size) {
                    if (numbers.add(checkNotNull(objects[index])) < index) numbers.append(objects[index])
                }
            }

        private const val FIRST_SLOTS = 1 shl 10
        private const val MOST_SLOTS = 1 shl 30
        private const val MOST_OBJECTS = Int.MAX_VALUE - 8L
    }
}
