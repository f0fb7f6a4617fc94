package dev.cairn.concentrate

import dev.cairn.base.counted
import dev.cairn.event.requireDeclared

/**
 * Which ranks are concentrators. Hosts stand in the order of their lowest ranks, and the ranks of a host one behind the other, so that
 * the rule means the same however a launcher deals ranks to hosts.
 * Immutable; all ranks pass the same.
 */
public sealed class Concentrators {
    /** Refuses a rule that names ranks which a program of [rankCount] ranks does not have. */
    internal open fun requireFit(rankCount: Int) = Unit

    /** The concentrators among ranks that run on [hosts], in the order in which they get sub-files. */
    internal abstract fun among(hosts: List<String>): List<Int>

    private class PerHost(
        val count: Int,
    ) : Concentrators() {
        override fun among(hosts: List<String>): List<Int> = ranksByHost(hosts).flatMap { it.take(count) }

        override val setting get() = "$PER_HOST:$count"

        override fun toString() = "${counted(count, "concentrator")} on each host"
    }

    private class EveryNth(
        val step: Int,
    ) : Concentrators() {
        override fun among(hosts: List<String>): List<Int> =
            ranksByHost(hosts).flatten().filterIndexed { place, _ -> place % step == 0 }

        override val setting get() = "$EVERY:$step"

        override fun toString() = if (step == 1) "each rank is a concentrator" else "every $step ranks a concentrator"
    }

    private class Total(
        val count: Int,
    ) : Concentrators() {
        override fun among(hosts: List<String>): List<Int> {
            val ranks = ranksByHost(hosts).flatten()
            val possible = minOf(count, ranks.size)
            return List(possible) { ranks[(it.toLong() * ranks.size / possible).toInt()] }
        }

        override val setting get() = "$TOTAL:$count"

        override fun toString() = "${counted(count, "concentrator")} in all"
    }

    private class Listed(
        val ranks: List<Int>,
    ) : Concentrators() {
        override fun requireFit(rankCount: Int) =
            requireDeclared(ranks.all { it < rankCount }) {
                "$setting, but the largest rank is ${rankCount - 1}. Name other ranks"
            }

        override fun among(hosts: List<String>): List<Int> = ranks.also { requireFit(hosts.size) }

        override val setting get() = "$RANKS:${ranks.joinToString("+")}"

        override fun toString() = "the concentrators are ranks $ranks"
    }

    private class Near(
        val ranks: Concentrators,
    ) : Concentrators() {
        override val areNear get() = true

        override fun requireFit(rankCount: Int) = ranks.requireFit(rankCount)

        override fun among(hosts: List<String>): List<Int> = ranks.among(hosts)

        override fun near() = this

        override val setting get() = ranks.setting + NEAR

        override fun toString() = "$ranks, with the stripes near it"
    }

    /** Whether a stripe goes to the nearest concentrator, and not to the next one in turn. */
    internal open val areNear: Boolean get() = false

    /**
     * The same ranks, which do not take the stripes in turn: each stripe goes to the concentrator that is nearest to the ranks which
     * have most of it, so that fewer bytes leave their host.
     */
    public open fun near(): Concentrators = Near(this)

    /** The text in a list of settings. */
    internal abstract val setting: String

    public companion object {
        internal fun parse(text: String): Concentrators =
            if (text.endsWith(NEAR)) parseRanks(text.removeSuffix(NEAR)).near() else parseRanks(text)

        private fun parseRanks(text: String): Concentrators {
            val number = text.substringAfter(':')
            return when (text.substringBefore(':')) {
                PER_HOST -> perHost(number.toInt())
                EVERY -> everyNth(number.toInt())
                TOTAL -> total(number.toInt())
                RANKS -> ranks(*number.split('+').map(String::toInt).toIntArray())
                else -> throw IllegalArgumentException("'$text' says no rule")
            }
        }

        private const val PER_HOST = "per-host"
        private const val EVERY = "every"
        private const val TOTAL = "total"
        private const val RANKS = "ranks"
        private const val NEAR = ":near"

        /** The first [count] ranks of each host; fewer where a host has fewer. */
        @JvmStatic
        public fun perHost(count: Int): Concentrators = PerHost(atLeastOne("concentrators on each host", count))

        /** Every [step]-th rank, beginning with the first. */
        @JvmStatic
        public fun everyNth(step: Int): Concentrators = EveryNth(atLeastOne("ranks for each concentrator", step))

        /** [count] ranks at equal distances; all ranks if there are fewer. */
        @JvmStatic
        public fun total(count: Int): Concentrators = Total(atLeastOne("concentrators", count))

        /** These [ranks]. */
        @JvmStatic
        public fun ranks(vararg ranks: Int): Concentrators {
            require(ranks.isNotEmpty() && ranks.all { it >= 0 } && ranks.toSet().size == ranks.size) {
                "concentrators on ranks ${ranks.asList()}: name one rank or more, none below 0, and each once"
            }
            return Listed(ranks.toList())
        }

        private fun atLeastOne(
            what: String,
            count: Int,
        ): Int = count.also { require(it >= 1) { "$count $what: there must be 1 or more" } }

        private fun ranksByHost(hosts: List<String>): Collection<List<Int>> = hosts.indices.groupBy { hosts[it] }.values
    }
}
