package dev.cairn.sion.cli;

import dev.cairn.command.JsonWriter;
import dev.cairn.command.Shell;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * What is open to be printed and verified: a log of ours, the logs of PnetCDF of one program, or a
 * set of sub-files. Each format has its own implementation, which owns what it has opened.
 */
interface Inspection extends Closeable {
  /** Opens one, when it is its turn. */
  @FunctionalInterface
  interface Opening {
    Inspection open(BlockStore store) throws IOException;
  }

  void printText(TextOutput out) throws IOException;

  void printJson(JsonWriter json) throws IOException;

  /** Whether all that its writer has written can be used. */
  boolean isWhole();

  /** Reads all of it; returns the line for a good one, or else complains of the defects. */
  Optional<String> verify(Shell<BlockStore> shell) throws IOException;
}
