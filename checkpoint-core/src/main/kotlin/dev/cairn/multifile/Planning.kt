package dev.cairn.multifile

import dev.cairn.ranks.Structure
import dev.cairn.sion.FileMapping
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.TaskRequest

/**
 * The rule by which rank 0 makes tasks of the ranks' requests: one task of each rank, or any tasks of any rank.
 *
 * @param R the request of a rank
 * @param P the places of a rank's tasks, in the form that the rank needs
 */
internal interface Planning<R, P> {
    val request: Structure<R>

    val place: Structure<P>

    /**
     * All tasks of the multifile.
     *
     * @param requests of all ranks, in their order
     * @throws RuntimeException if no such multifile can exist; then all ranks throw
     */
    fun plan(requests: List<R>): PlannedTasks

    /** The places of each rank's tasks, in the order of the ranks. */
    fun places(layout: MultifileLayout, requests: List<R>): List<P>
}

/**
 * The tasks of a multifile before it is laid out.
 *
 * @property requests the request of each task, by task number
 * @property mapping the physical file of each task
 */
internal class PlannedTasks(val requests: List<TaskRequest>, val mapping: FileMapping)
