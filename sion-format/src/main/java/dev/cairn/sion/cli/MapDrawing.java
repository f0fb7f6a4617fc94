package dev.cairn.sion.cli;

import dev.cairn.command.svg.SvgWriter;
import dev.cairn.sion.FileMapping;
import dev.cairn.sion.GlobalView;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Draws a multifile: a panel for each physical file, in which everything follows as on disk, from
 * left to right and from top to bottom. One scale, of bytes per pixel, holds in the whole picture.
 */
final class MapDrawing {
  private static final int MOST_FILES = 12;

  private static final double RIGHT = 36;

  private final GlobalView view;
  private final List<FileMap> maps;
  private final double pixelsPerByte;
  private final SvgWriter svg = new SvgWriter(MapStyle.definitions());
  private double y;

  MapDrawing(GlobalView view) throws IOException {
    this.view = view;
    int[][] tasks = tasksByFile(view);
    this.maps =
        view.files().stream().map(file -> new FileMap(file, tasks[file.fileNumber()])).toList();
    this.pixelsPerByte = MapStyle.BAR_WIDTH / longestBar(view.files());
  }

  private static int[][] tasksByFile(GlobalView view) {
    int[][] tasks = new int[view.files().size()][];
    for (GlobalView.FileView file : view.files()) {
      tasks[file.fileNumber()] = new int[file.taskCount()];
      Arrays.fill(tasks[file.fileNumber()], -1);
    }
    for (int task = 0; task < view.taskCount(); task++) {
      FileMapping.TaskPlace place = view.place(task);
      tasks[place.fileNumber()][place.localRank()] = task;
    }
    return tasks;
  }

  private static long longestBar(List<GlobalView.FileView> files) throws IOException {
    long longest = 1;
    for (GlobalView.FileView file : files) {
      long rear = file.size() - file.metaTwoStart();
      longest = Math.max(longest, Math.max(file.stride(), Math.max(file.blocksStart(), rear)));
    }
    return longest;
  }

  byte[] draw() throws IOException {
    drawHead();
    drawLegend();
    drawScale();
    for (FileMap map : maps.subList(0, Math.min(MOST_FILES, maps.size()))) {
      y = new MapPanel(svg, pixelsPerByte, map).draw(y, maps.size() > 1);
    }
    if (maps.size() > MOST_FILES) {
      tellOfOthers();
    }
    return svg.picture(MapStyle.LEFT + MapStyle.BAR_WIDTH + RIGHT, y + MapStyle.LINE_HEIGHT);
  }

  private void tellOfOthers() {
    y += MapStyle.LINE_HEIGHT;
    String text =
        String.format(
            "%d files more are not drawn. To see one alone, name it: %s",
            maps.size() - MOST_FILES, maps.get(MOST_FILES).file().path().getFileName());
    svg.text("note", MapStyle.LEFT, y, text);
  }

  private void drawHead() throws IOException {
    MapTotals totals = MapTotals.of(view.files());
    y = 32;
    svg.text("title", MapStyle.LEFT, y, view.info().path().getFileName().toString());
    y += 22;
    svg.text("summary", MapStyle.LEFT, y, totals.counts(view));
    y += MapStyle.LINE_HEIGHT;
    svg.text("summary", MapStyle.LEFT, y, totals.bytes());
    y += 14;
  }

  private void drawLegend() {
    y += 6;
    double x = MapStyle.LEFT;
    for (MapStyle.Swatch swatch : MapStyle.legend()) {
      svg.box(swatch.style(), x, y, 16, 12);
      svg.text("label", x + 20, y + 10, swatch.words());
      x += 20 + MapStyle.DIGIT_WIDTH * swatch.words().length() + 8;
    }
    y += 12;
  }

  /** A ruler in steps that are powers of two, as most sizes are. */
  private void drawScale() {
    long step = 1;
    while (step * pixelsPerByte < 90) {
      step *= 2;
    }
    y += 26;
    svg.text("row", MapStyle.LEFT - 24, y, "scale");
    double width = step * pixelsPerByte;
    for (int tick = 0; tick * width <= MapStyle.BAR_WIDTH; tick++) {
      double x = MapStyle.LEFT + tick * width;
      svg.line("tick", x, y + 3, x, y + 8);
      svg.text("number", x, y, size(tick * step));
    }
    y += 8;
  }

  /** A power of two in the largest unit that it has. */
  private static String size(long bytes) {
    if (bytes == 0) {
      return "0";
    }
    String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int unit = Math.min(units.length - 1, Long.numberOfTrailingZeros(bytes) / 10);
    return (bytes >> (10 * unit)) + " " + units[unit];
  }
}
