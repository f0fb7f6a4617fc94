package dev.cairn.sion.cli;

import dev.cairn.sion.cli.StreamCopy.Part;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** A verb that takes the bytes of tasks out of a multifile. */
abstract class TaskVerb extends Verb {
  @Option(names = "-v", description = "Reports on standard error what is written.")
  boolean verbose;

  @Option(
      names = {"-z", "--decompress"},
      description = "Decompresses the tasks whose streams Cairn has compressed.")
  boolean decompress;

  @Option(
      names = "--available",
      description = "Of a broken multifile, takes the tasks that are there.")
  private boolean available;

  final ReadableTasks open(String multifile) throws IOException {
    Path path = Path.of(multifile);
    return available ? ReadableTasks.available(shell(), path) : ReadableTasks.all(shell(), path);
  }

  /** Copies a part of a task or, to decompress it, all of the task. */
  final void copy(StreamCopy copy, Part part, StreamCopy.Target target) throws IOException {
    if (decompress) {
      copy.copyContent(part.task(), target);
    } else {
      copy.copy(part, target);
    }
  }
}
