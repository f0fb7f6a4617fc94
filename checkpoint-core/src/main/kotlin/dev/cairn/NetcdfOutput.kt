package dev.cairn

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.grid.Box
import dev.cairn.item.CellBlock
import dev.cairn.options.CheckpointOptions
import dev.cairn.output.OutputPlan
import dev.cairn.output.StagedOutput
import dev.cairn.output.kindOf
import dev.cairn.output.put
import dev.cairn.ranks.Communicator
import java.nio.file.Path

/**
 * A NetCDF file that the ranks write together, record by record (docs/how-to/netcdf-output.md). A restart truncates it to the records of the
 * checkpoint. Put cells wait in memory, or in logs on the disks of the hosts, and are written into the file at a save, when enough of
 * them wait, at a [flush], and when the program ends.
 *
 * It belongs to one rank; there is nothing to close.
 */
public class NetcdfOutput internal constructor(public val file: Path, private val staged: StagedOutput) {
    /** The number of records that are in the [file] and durable. */
    public val recordCount: Long get() = staged.written

    /**
     * Collective: appends a record with the present cells and values of all variables that were declared with a source. The first
     * append of a run compares the cells of all ranks. The others usually exchange no message; if enough is waiting, they flush. A
     * disk error is then only logged, and tried again later, until much more is waiting.
     *
     * Returns the number of the record, the same on all ranks. They count from 0 over all runs; but before the first step it is not
     * known yet whether the output continues, and they count from 0 in any case.
     *
     * @throws IllegalArgumentException on a rank that has a value which the type of its variable cannot have
     */
    public suspend fun append(): Long = staged.append()

    /**
     * Puts cells of a [record] that is not in the file yet, from any rank. A later put replaces the cells of an earlier one of the same
     * rank; two ranks must not put the same cell.
     *
     * @param box cells of the variable in one record
     * @param values a primitive array, such as a `DoubleArray`, of one cell for each of [box], in row-major order
     */
    public fun put(variable: String, record: Long, box: Box, values: Any) {
        val target = staged.plan.variable(variable)
        require(target.hasRecords && record >= 0) { "$file: variable '$variable' has no record $record" }
        require(target.shape.box().contains(box)) {
            "$file: a record of variable '$variable' has the cells ${target.shape.box()}, and not all of $box"
        }
        val kind = kindOf(variable, values)
        val count = kind.size(values)
        require(count.toLong() == box.cellCount()) {
            "$file: the box $box of variable '$variable' has ${box.cellCount()} cells, but the array $count"
        }
        if (!box.isEmpty) staged.put(target.put(record, CellBlock(box, box, kind.cells(values)), kind.type))
    }

    /** Collective: returns when all records are in the file and durable. On a failure all ranks throw the same. */
    public suspend fun flush(): Unit = staged.flush()
}

/** The same ranks, of which a flush waits for as long as [options] say. */
internal fun Communicator.limitedBy(options: CheckpointOptions): Communicator =
    options.limit?.let { during(activity, it) } ?: this

/** The declaration of [file], with changes by [options]. */
internal fun planOf(
    file: Path,
    ranks: Communicator,
    options: CheckpointOptions,
    declare: Declaring<NetcdfBuilder>,
): OutputPlan =
    try {
        declare.on(NetcdfBuilder(ranks)).plan(options)
    } catch (flaw: IllegalArgumentException) {
        throw refusalOf(file, flaw)
    } catch (flaw: InvalidDeclaration) {
        throw refusalOf(file, flaw)
    }

private fun refusalOf(file: Path, flaw: RuntimeException) =
    InvalidDeclaration(Details("the output $file: ${flaw.message}", path = file, cause = flaw))
