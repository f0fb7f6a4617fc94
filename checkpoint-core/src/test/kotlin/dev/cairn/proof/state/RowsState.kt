package dev.cairn.proof.state

import dev.cairn.StateBuilder

/** An estate of each rank: rows that are objects of several classes, lead to each other, and hold each other in lists. */
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
        }
        state.rows("farms", { farms }, { farms = it }) {}
        state.rows("deeds", { deeds }, { deeds = it }) {}
    }

    /** What a rank has at the [step]. */
    fun advanceTo(step: Long) {
        tenants = List(4) { if (it == 2) Miller(numberOf(it), step) else Farmer(numberOf(it), step) }
        farms = List(2) { Farm(it + step * 0.5) }
        deeds = List(3) { Deed(step, 100 + it / 2, isPaid = it == 1) }
        for (farm in farms) {
            farm.owner = tenants[1].takeIf { farm === farms[0] }
            farm.crew += tenants.drop(2) + null
        }
        tenants.forEachIndexed { at, one ->
            one.friend = tenants[(at + step.toInt()) % tenants.size].takeIf { at != 3 }
            (one as? Farmer)?.farm = farms[at % 2]
        }
        (tenants[2] as Miller).suppliers = tenants.filterIsInstance<Farmer>().toTypedArray()
    }

    private fun numberOf(tenant: Int) = 1_000L * rank + 7 * tenant

    /** Whether it has what it had at the [step]: each row leads to others at the same places, and to the objects there. */
    fun isThatOf(step: Long): Boolean = described() == RowsState(rank).also { it.advanceTo(step) }.described()

    private fun described() =
        deeds + tenants.map { it.described(this) } +
            farms.map { farm -> listOf(farm.area, tenants.indexOf(farm.owner), farm.crew.map { tenants.indexOf(it) }) }

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
        var suppliers: Array<Farmer>? = null

        override fun described(all: RowsState) =
            super.described(all) + flour + suppliers?.map { all.tenants.indexOf(it) }
    }

    private class Farm(val area: Double) {
        var owner: Tenant? = null
        val crew = ArrayList<Tenant?>()
    }

    @JvmRecord
    private data class Deed(val day: Long, val price: Int, val isPaid: Boolean)
}
