package dev.cairn.concentrate

import dev.cairn.event.counted
import dev.cairn.event.requireDeclared

/**
 * Which ranks are concentrators. Hosts stand in the order of their lowest ranks, and the ranks of a host one behind the other, so that
 * the rule means the same however a launcher deals ranks to hosts.
 * Immutable; all ranks pass the same.
 */
public class Concentrators private constructor(
    /** The text in a list of settings. */
    internal val setting: String,
    private val inWords: String,
    /** Whether a stripe goes to the nearest concentrator, and not to the next one in turn. */
    internal val areNear: Boolean = false,
    private val choose: (hosts: List<String>) -> List<Int>,
) {
    /** Refuses a rule that names ranks which a program of [rankCount] ranks does not have. */
    internal fun requireFit(rankCount: Int) {
        among(List(rankCount) { "" })
    }

    /** The concentrators among ranks that run on [hosts], in the order in which they get sub-files. */
    internal fun among(hosts: List<String>): List<Int> = choose(hosts)

    /**
     * The same ranks, which do not take the stripes in turn: each stripe goes to the concentrator that is nearest to the ranks which
     * have most of it, so that fewer bytes leave their host.
     */
    public fun near(): Concentrators {
        if (areNear) return this
        return Concentrators(setting + NEAR, "$inWords, with the stripes near it", areNear = true, choose)
    }

    override fun toString(): String = inWords

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
        public fun perHost(count: Int): Concentrators {
            require(count >= 1) { "$count concentrators on each host: there must be 1 or more" }
            return Concentrators("$PER_HOST:$count", "${counted(count, "concentrator")} on each host") { hosts ->
                ranksByHost(hosts).flatMap { it.take(count) }
            }
        }

        /** Every [step]-th rank, beginning with the first. */
        @JvmStatic
        public fun everyNth(step: Int): Concentrators {
            require(step >= 1) { "$step ranks for each concentrator: there must be 1 or more" }
            val inWords = if (step == 1) "each rank is a concentrator" else "every $step ranks a concentrator"
            return Concentrators("$EVERY:$step", inWords) { hosts ->
                ranksByHost(hosts).flatten().filterIndexed { place, _ -> place % step == 0 }
            }
        }

        /** [count] ranks at equal distances; all ranks if there are fewer. */
        @JvmStatic
        public fun total(count: Int): Concentrators {
            require(count >= 1) { "$count concentrators: there must be 1 or more" }
            return Concentrators("$TOTAL:$count", "${counted(count, "concentrator")} in all") { hosts ->
                val ranks = ranksByHost(hosts).flatten()
                val possible = minOf(count, ranks.size)
                List(possible) { ranks[(it.toLong() * ranks.size / possible).toInt()] }
            }
        }

        /** These [ranks]. */
        @JvmStatic
        public fun ranks(vararg ranks: Int): Concentrators {
            require(ranks.isNotEmpty() && ranks.all { it >= 0 } && ranks.toSet().size == ranks.size) {
                "concentrators on ranks ${ranks.asList()}: name one rank or more, none below 0, and each once"
            }
            val chosen = ranks.toList()
            val setting = "$RANKS:${chosen.joinToString("+")}"
            return Concentrators(setting, "the concentrators are ranks $chosen") { hosts ->
                requireDeclared(chosen.all { it in hosts.indices }) {
                    "$setting, but the largest rank is ${hosts.size - 1}. Name other ranks"
                }
                chosen
            }
        }

        private fun ranksByHost(hosts: List<String>): Collection<List<Int>> = hosts.indices.groupBy { hosts[it] }.values
    }
}
