package dev.cairn

import dev.cairn.state.ElementType

/** A program with a fault in what it declares. */
internal class PlantedFault(
    val what: String,
    val item: String,
    val sentence: String,
    val declare: StateBuilder.(Tide) -> Unit,
)

internal val PLANTED_FAULTS: List<PlantedFault> =
    listOf(
        PlantedFault(
            "a setter that does nothing",
            "time",
            "The replicated 'time' should be what save 1 holds, but on ranks 0-2 it is still what save 2 holds.",
        ) { tide -> replicated("time", { tide.time }, {}) },
        PlantedFault(
            "a setter that does nothing on one rank",
            "time",
            "The replicated 'time' should be what save 1 holds, but on rank 1 it is still what save 2 holds.",
        ) { tide -> replicated("time", { tide.time }, { if (tide.rank != 1) tide.time = it }) },
        PlantedFault(
            "a block that is a copy",
            "u",
            "The field 'u' should be what save 1 holds, but it is still what save 2 holds.",
        ) { tide -> field("u", Tide.LINE, ElementType.LONG) { block(tide.box, tide.cells.copyOf()) } },
        PlantedFault(
            "a supplier of copies on one rank",
            "u",
            "The field 'u' should be what save 1 holds, but it is what neither save holds.",
        ) { tide ->
            field("u", Tide.LINE, ElementType.LONG) {
                block(tide.box) { if (tide.rank == 2) tide.cells.copyOf() else tide.cells }
            }
        },
        PlantedFault(
            "a private value that one rank does not take",
            "name",
            "The perRank 'name' should be what save 1 holds, but it is what neither save holds.",
        ) { tide -> perRank("name", { tide.name }, { if (tide.rank != 2) tide.name = it }) },
        PlantedFault(
            "an accumulator that adds what comes back",
            "sum",
            "The accumulator 'sum' should be what save 1 holds, but it is what neither save holds.",
        ) { tide -> accumulator("sum", { tide.time }, { tide.time += it }, 0.0, Double::plus) },
    )
