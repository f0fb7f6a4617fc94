package dev.cairn.proof.netcdf

import dev.cairn.Declaring
import dev.cairn.NetcdfBuilder
import dev.cairn.NetcdfOutput
import dev.cairn.Simulation
import dev.cairn.StateBuilder
import dev.cairn.item.OutputEnd
import dev.cairn.item.OutputItem
import dev.cairn.item.OutputMark
import dev.cairn.options.CheckpointOptions
import dev.cairn.output.NetcdfEnd
import dev.cairn.output.NetcdfItem
import dev.cairn.output.OutputPlan
import dev.cairn.output.RecordAgreement
import dev.cairn.output.StagedOutput
import dev.cairn.output.waitingItem
import dev.cairn.planOf
import dev.cairn.ranks.Communicator
import dev.cairn.redistribution.CellDigest
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.file.Path

/** Mistakes that outputs have had, planted again. The campaigns must find each. */
internal enum class MissingMend {
    /** The mark of a save has no digest while records are on their way into the file: any long file fits. */
    MARKS_WITHOUT_DIGEST,

    /** What the ranks agree on may be fewer records than are in the file. */
    FEWER_RECORDS_THAN_WRITTEN,
    ;

    /** The output "out" of a simulation. */
    fun declare(simulation: Simulation, file: Path, declare: Declaring<NetcdfBuilder>): NetcdfOutput {
        val (ranks, files) = simulation.ranks to simulation.state.files
        val staged = staged(ranks, files, file, planOf(file, ranks, simulation.state.options, declare))
        simulation.addPlanted(file, files, staged)
        return NetcdfOutput(file, staged).also { simulation.state.netcdfs += it }
    }

    /** The output "out" of checkpoints. */
    fun declare(
        builder: StateBuilder,
        ranks: Communicator,
        file: Path,
        files: BlockStore,
        declare: Declaring<NetcdfBuilder>,
    ): NetcdfOutput {
        val staged = staged(ranks, files, file, planOf(file, ranks, CheckpointOptions.DEFAULT, declare))
        builder.addPlanted(file, files, staged)
        return NetcdfOutput(file, staged)
    }

    private fun staged(ranks: Communicator, files: BlockStore, file: Path, plan: OutputPlan): StagedOutput {
        val agreement = if (this == FEWER_RECORDS_THAN_WRITTEN) Forgetful(ranks, file) else RecordAgreement(ranks, file)
        return StagedOutput(ranks, files, file, plan, agreement)
    }

    private fun StateBuilder.addPlanted(file: Path, files: BlockStore, staged: StagedOutput) {
        if (this@MissingMend != MARKS_WITHOUT_DIGEST) return addNetcdf("out", emptyList(), file, files, staged)
        val end = if (staged.isRoot) Undigested(NetcdfEnd(files, file, staged), staged) else null
        state.add(NetcdfItem(OutputItem(state.name("out", emptyList()), file, files, end), staged, files))
        state.add(waitingItem(state.name("out", emptyList()), staged))
    }
}

private class Forgetful(ranks: Communicator, path: Path) : RecordAgreement(ranks, path) {
    override suspend fun count(appended: Long, put: Long, written: Long) = super.count(appended, put, written = 0)
}

private class Undigested(private val end: OutputEnd, private val staged: StagedOutput) : OutputEnd by end {
    override fun mark(file: BlockFile): OutputMark =
        if (staged.batch == null) end.mark(file) else end.mark(file).copy(tail = CellDigest.NONE)
}
