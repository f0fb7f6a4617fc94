package dev.cairn.sion.cli;

import dev.cairn.sion.GlobalView;
import dev.cairn.sion.Multifile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sion map}: a picture of where everything lies in the files of a multifile. */
@Command(
    name = "map",
    separator = " ",
    description = {
      "Draws the layout of the files in the order on disk, with a chunk for each task.",
      "A row stands for a block; the colour of a chunk shows how full it is. META1, META2 "
          + "and the gaps between are drawn, too. Of many tasks, blocks or files it draws several "
          + "as one, and says so in the picture. In a browser, the tooltip of a chunk shows its "
          + "tasks, blocks and bytes."
    },
    footer = {"", "Example: sion map -o x.svg x.sion"})
final class MapVerb extends Verb {
  @Option(names = "-o", paramLabel = "OUT", description = "Into this file, not to standard output.")
  private Optional<String> output = Optional.empty();

  @Parameters(paramLabel = "FILE", description = "File 0 of a multifile, or another one alone.")
  private String file = "";

  @Override
  public Integer call() throws IOException {
    byte[] picture = picture();
    if (output.isPresent()) {
      Path path = Path.of(output.get());
      OutputFile.write(
          store(), Path.of(file), path, target -> target.write(ByteBuffer.wrap(picture)));
    } else {
      shell().out().write(picture, 0, picture.length);
    }
    return SionCommand.DONE;
  }

  private byte[] picture() throws IOException {
    try (GlobalView view = Multifile.open(store(), Path.of(file))) {
      return new MapDrawing(view).draw();
    }
  }
}
