package dev.cairn.multifile.task

import dev.cairn.sion.FileMapping
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.TaskRequest
import dev.cairn.structure.Structure

/**
 * How rank 0 makes tasks of what the ranks wish: one task of each rank, or any tasks of any rank.
 *
 * @param W what a rank wishes
 * @param P what a rank must know of the places of its tasks
 */
internal interface Planning<W, P> {
    val wish: Structure<W>

    val place: Structure<P>

    /**
     * All tasks of the multifile.
     *
     * @param wishes of all ranks, in their order
     * @throws RuntimeException if there can be no such multifile; then all ranks throw
     */
    fun plan(wishes: List<W>): PlannedTasks

    /** For each rank, in their order, what it must know. */
    fun places(
        layout: MultifileLayout,
        wishes: List<W>,
    ): List<P>
}

/**
 * The tasks of a multifile before it is laid out.
 *
 * @property requests what each task asks for, by task number
 * @property mapping the physical file of each task
 */
internal class PlannedTasks(
    val requests: List<TaskRequest>,
    val mapping: FileMapping,
)
