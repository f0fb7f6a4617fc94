package dev.cairn.proof.state

import dev.cairn.StateBuilder

/**
 * An estate of each rank: rows that are objects of several classes, lead to each other, also to those of the other rank, and hold each
 * other in lists. The sheds are in no list.
 */
internal class RowsState(private val rank: Int) {
    private var tenants = listOf<Tenant>()
    private var farms = listOf<Farm>()
    private var deeds = listOf<Deed>()

    fun declare(state: StateBuilder) {
        state.rows("tenants", { tenants }, { tenants = it }) {
            kind<Farmer>("farmer")
            kind<Miller>("miller")
            uniqueIds("number")
            text("name", 12)
            elsewhere(::Stranger)
        }
        state.rows("farms", { farms }, { farms = it }) {}
        state.rows("deeds", { deeds }, { deeds = it }) {}
        state.rows<Shed>("sheds") {}
    }

    /** What a rank has at the [step]. */
    fun advanceTo(step: Long) {
        tenants = List(4) { if (it == 2) Miller(numberOf(it), step) else Farmer(numberOf(it), step) }
        farms = List(2) { Farm(it + step * 0.5) }
        deeds = List(3) { Deed(step, 100 + it / 2, isPaid = it == 1, farms[it / 2]) }
        val neighbour = Stranger(1_000L * (1 - rank) + 7 * step)
        for ((at, farm) in farms.withIndex()) {
            farm.owner = if (at == 0) tenants[1] else neighbour
            farm.shed = Shed(at + 1).apply { inner = Shed(step.toInt()).takeIf { at == 0 } }
            farm.crew += tenants.drop(2) + null
        }
        tenants.forEachIndexed { at, one ->
            one.friend = tenants[(at + step.toInt()) % tenants.size].takeIf { at != 3 }
            (one as? Farmer)?.farm = farms[at % 2]
        }
        (tenants[2] as Miller).suppliers = tenants.filterIsInstance<Farmer>().toTypedArray<Tenant>()
    }

    private fun numberOf(tenant: Int) = 1_000L * rank + 7 * tenant

    /** Whether it has what it had at the [step]: each row leads to others at the same places, and to the objects there. */
    fun isThatOf(step: Long): Boolean = described() == RowsState(rank).also { it.advanceTo(step) }.described()

    private fun described() =
        deeds.map { listOf(it.day, it.price, it.isPaid, farms.indexOf(it.farm)) } +
            tenants.map { it.described(this) } +
            farms.map { farm ->
                val sheds = generateSequence(farm.shed) { it.inner }.map { it.size }.toList()
                listOf(
                    farm.area,
                    tenants.indexOf(farm.owner),
                    farm.owner?.number,
                    farm.crew.map(tenants::indexOf),
                    sheds,
                )
            }

    private enum class Trust { LITTLE, MUCH }

    private abstract class Tenant(val number: Long, step: Long) {
        val name = "n. $number"
        var trust = if (step % 2 == 0L) Trust.LITTLE else Trust.MUCH
        var friend: Tenant? = null

        open fun described(all: RowsState) = listOf<Any?>(number, name, trust, all.tenants.indexOf(friend))
    }

    private class Farmer(number: Long, step: Long) : Tenant(number, step) {
        var farm: Farm? = null
        private val herd = (number + step).toInt()

        override fun described(all: RowsState) = super.described(all) + listOf(herd, all.farms.indexOf(farm))
    }

    private class Miller(number: Long, step: Long) : Tenant(number, step) {
        val flour = step / 4.0
        var suppliers: Array<Tenant>? = null

        override fun described(all: RowsState) =
            super.described(all) + flour + suppliers?.map { all.tenants.indexOf(it) }
    }

    /** Stands for a tenant of the other rank. */
    private class Stranger(number: Long) : Tenant(number, 0)

    private class Farm(val area: Double) {
        var owner: Tenant? = null
        var shed: Shed? = null
        val crew = ArrayList<Tenant?>()
    }

    @JvmRecord
    private data class Deed(val day: Long, val price: Int, val isPaid: Boolean, val farm: Farm)

    private class Shed(val size: Int) {
        var inner: Shed? = null
    }
}
