package dev.cairn.proof.netcdf

import dev.cairn.house.Campaign
import dev.cairn.proof.log.quietly
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldNotBeNull
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.random.Random

/**
 * The mistakes that a program with a NetCDF file can make.
 *
 * @property foundSoon a seed whose crashes show it, so that a build need not look for long
 */
private enum class NetcdfSabotage(val foundSoon: Long) {
    /** Only the host of rank 0 forces the records that it has written. */
    ANOTHER_HOST_DOES_NOT_FORCE(10),

    /** New records, and the number that lets them count, are forced together. */
    RECORDS_COUNT_BEFORE_THEY_ARE_FORCED(10),

    /** A restart leaves the records that the checkpoint does not know. */
    NOT_CUT_BACK(6),
}

/** The crashes of [NetcdfCrashSpec], in which no promise is broken, are worth something only if they find these mistakes. */
class NetcdfSabotageSpec :
    FunSpec({
        quietly()
        val unbroken = UnbrokenCourses()
        for (sabotage in NetcdfSabotage.entries) {
            test("with sabotage $sabotage promises are broken, and it is seen") {
                val first = sabotage.foundSoon
                val trials = (first until first + MOST_TRIALS).asSequence()
                val found =
                    trials.withIndex().firstNotNullOfOrNull { (index, seed) ->
                        val trial =
                            CrashedWaves(Random(seed), unbroken, through = { host, door ->
                                Sabotaged(host, door, sabotage)
                            })
                        trial.flaw()?.let { "$sabotage, found in trial ${index + 1} from seed $first: $it" }
                    }
                println("NetcdfSabotageSpec: $found")
                found.shouldNotBeNull()
            }
        }

        for ((mend, first) in FOUND_SOON) {
            test("without the mend of $mend promises are broken, and the smallest campaign sees it") {
                val found =
                    (first until first + Campaign.SEEDS.small / 10).asSequence().firstNotNullOfOrNull { seed ->
                        CrashedWaves(Random(seed), unbroken, declared = {
                            file,
                            cells,
                            ->
                            mend.declare(this, file, cells)
                        })
                            .flaw()
                            ?.let { "$mend, found with seed $seed: $it" }
                    }
                println("NetcdfSabotageSpec: $found")
                found.shouldNotBeNull()
            }
        }
    }) {
    private companion object {
        const val MOST_TRIALS = 1_000

        /** From these seeds on, so that a build need not look for long. */
        val FOUND_SOON =
            mapOf(MissingMend.MARKS_WITHOUT_DIGEST to 168L, MissingMend.FEWER_RECORDS_THAN_WRITTEN to 1L)
    }
}

private class Sabotaged(
    private val host: String,
    private val target: BlockStore,
    private val sabotage: NetcdfSabotage,
) : BlockStore by target {
    override fun open(file: Path, access: Access): BlockFile {
        val opened = target.open(file, access)
        return if (file == Waves.FILE && access == Access.READ_WRITE) sabotaged(opened) else opened
    }

    private fun sabotaged(output: BlockFile) =
        when (sabotage) {
            NetcdfSabotage.ANOTHER_HOST_DOES_NOT_FORCE -> if (host == "node0") output else Unforced(output)
            NetcdfSabotage.RECORDS_COUNT_BEFORE_THEY_ARE_FORCED -> ForcedWithItsHead(output)
            NetcdfSabotage.NOT_CUT_BACK -> NeverCut(output)
        }
}

private class Unforced(file: BlockFile) : BlockFile by file {
    override fun force() = Unit
}

/** It is only forced when its head was written, which has the number of records. */
private class ForcedWithItsHead(private val file: BlockFile) : BlockFile by file {
    private var isHeadWritten = false

    override fun write(position: Long, source: ByteBuffer) {
        isHeadWritten = isHeadWritten || position < HEAD_SIZE
        file.write(position, source)
    }

    override fun force() {
        if (isHeadWritten) file.force()
    }

    private companion object {
        const val HEAD_SIZE = 8
    }
}

private class NeverCut(private val file: BlockFile) : BlockFile by file {
    override fun resize(size: Long) {
        if (size > file.size()) file.resize(size)
    }
}
