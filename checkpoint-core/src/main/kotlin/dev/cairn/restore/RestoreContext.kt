package dev.cairn.restore

import dev.cairn.checkpoint.FramePool
import dev.cairn.ranks.Communicator
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.LostOutputs

/**
 * The surroundings of a restore on one rank. It owns nothing.
 *
 * @property ranks a communicator that the program does not use
 * @property files the file system that all ranks share
 * @property pool the frames of this process that may be in use at once
 * @property lostOutputs the rule for an output whose file is not there
 */
internal class RestoreContext(
    val ranks: Communicator,
    val files: BlockStore,
    val pool: FramePool,
    val lostOutputs: LostOutputs,
)
