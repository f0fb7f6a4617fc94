package dev.cairn.sion.cli;

import dev.cairn.command.Shell;
import dev.cairn.sion.store.BlockStore;
import dev.cairn.sion.store.UndecodedName;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Turns failures into the one sentence that the user reads. */
final class Failures {
  private Failures() {}

  /** Says on standard error what is wrong. */
  static void complain(Shell<BlockStore> shell, String sentence) {
    shell.say("sion: " + sentence);
  }

  static String sentence(Throwable failure) {
    if (failure instanceof FileSystemException unnamed && "".equals(unnamed.getFile())) {
      return "the name of a file is empty. Give one; a variable of the shell may have no value.";
    }
    if (failure instanceof NoSuchFileException link && link.getReason() != null) {
      return link.getFile() + ": " + link.getReason() + ".";
    }
    if (failure instanceof NoSuchFileException missing) {
      return missing.getFile() + ": there is no such file. Check the name.";
    }
    if (failure instanceof FileSystemException named) {
      return named.getFile() + ": " + reason(named).replaceFirst("\\.$", "") + ".";
    }
    if (failure instanceof InvalidPathException undecoded) {
      return UndecodedName.sentence(undecoded.getInput());
    }
    if (failure instanceof IOException) {
      return Optional.ofNullable(failure.getMessage()).orElseGet(failure::toString);
    }
    if (failure instanceof OutOfMemoryError) {
      return "the meta data of this multifile need more memory: give java a larger -Xmx.";
    }
    return "this is a fault of sion itself, please report it: " + failure;
  }

  private static String reason(FileSystemException failure) {
    return Optional.ofNullable(failure.getReason())
        .orElseGet(() -> failure.getClass().getSimpleName());
  }
}
