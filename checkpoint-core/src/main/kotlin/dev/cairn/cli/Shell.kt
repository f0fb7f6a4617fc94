package dev.cairn.cli

import dev.cairn.sion.store.BlockStore

/** The environment of a verb: files, output and terminal. */
internal typealias Shell = dev.cairn.command.Shell<BlockStore>
