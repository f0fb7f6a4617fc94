package dev.cairn.sion.cli;

import static dev.cairn.sion.cli.MapStyle.BAR_WIDTH;
import static dev.cairn.sion.cli.MapStyle.DIGIT_WIDTH;
import static dev.cairn.sion.cli.MapStyle.LEFT;
import static dev.cairn.sion.cli.MapStyle.LINE_HEIGHT;
import static dev.cairn.sion.cli.MapStyle.words;

import dev.cairn.command.svg.SvgWriter;
import dev.cairn.sion.GlobalView;
import dev.cairn.sion.cli.FileMap.Cell;
import dev.cairn.sion.cli.FileMap.Span;
import java.io.IOException;

/** Draws one physical file: META1, a row of chunks for each block, META2. */
final class MapPanel {
  private static final double BAR_HEIGHT = 18;
  private static final double ROW_HEIGHT = 22;

  /** A used area stays visible even if it is too small for the scale. */
  private static final double LEAST_WIDTH = 1;

  /** Lines between narrower chunks would cover them. */
  private static final double LEAST_OUTLINED = 12;

  private static final double LEAST_BORDERED = 3;

  private final SvgWriter svg;
  private final double pixelsPerByte;
  private final FileMap map;
  private double y;

  MapPanel(SvgWriter svg, double pixelsPerByte, FileMap map) {
    this.svg = svg;
    this.pixelsPerByte = pixelsPerByte;
    this.map = map;
  }

  /**
   * Draws it below {@code top}; returns where it ends.
   *
   * @param named whether the heading names the file, one of several
   */
  double draw(double top, boolean named) throws IOException {
    GlobalView.FileView file = map.file();
    y = top + 32;
    svg.text("heading", LEFT, y, heading(named));
    if (map.tasksPerColumn() > 1 || map.blocksPerRow() > 1) {
      y += LINE_HEIGHT;
      svg.text("note", LEFT, y, aggregation());
    }
    y += 8;
    drawMetaOne(file);
    drawBlocks();
    drawMetaTwo(file);
    return y;
  }

  private String heading(boolean named) throws IOException {
    GlobalView.FileView file = map.file();
    int roomless = map.tasksWithoutRoom();
    return words(
        "%sfile %d: %s, %s, %,d bytes%s",
        named ? file.path().getFileName() + ", " : "",
        file.fileNumber(),
        MapTotals.count(file.taskCount(), "task"),
        MapTotals.count(file.blockCount(), "block"),
        file.size(),
        roomless == 0 ? "" : words(" (%,d tasks have no room)", roomless));
  }

  /** What a column and a row stand for, where that is more than one task or block. */
  private String aggregation() {
    int tasks = map.tasksPerColumn();
    int blocks = map.blocksPerRow();
    String columns = tasks == 1 ? "" : words("One column stands for %,d tasks. ", tasks);
    String rows =
        blocks == 1 ? "" : words("One row stands for %,d blocks, and shows their mean.", blocks);
    return columns + rows;
  }

  private void drawMetaOne(GlobalView.FileView file) {
    long gap = file.blocksStart() - file.metaOneSize();
    svg.text("row", LEFT - 8, y + 13, "META1");
    double x = drawPart("meta", LEFT, file.metaOneSize(), "META1");
    x = drawPart("gap", x, gap, "gap, not used");
    String text = words("%,d bytes, gap of %,d", file.metaOneSize(), gap);
    drawBeside(x, text);
    y += ROW_HEIGHT;
  }

  private void drawMetaTwo(GlobalView.FileView file) throws IOException {
    long metaTwo = file.metaTwoEnd() - file.metaTwoStart();
    long rest = file.size() - file.metaTwoEnd();
    svg.text("row", LEFT - 8, y + 13, "META2");
    double x = drawPart("meta", LEFT, metaTwo, "META2");
    x = drawPart("behind", x, rest, "behind META2, where the mapping is");
    String bytes = words("%,d bytes", metaTwo);
    drawBeside(x, rest == 0 ? bytes : bytes + words(", %,d behind it", rest));
    y += ROW_HEIGHT;
  }

  private double drawPart(String style, double x, long bytes, String name) {
    if (bytes == 0) {
      return x;
    }
    double width = Math.max(LEAST_WIDTH, bytes * pixelsPerByte);
    svg.box(style, x, y, width, BAR_HEIGHT, words("%s: %,d bytes", name, bytes));
    return x + width;
  }

  /** Beside a bar, or on it where no room is left. */
  private void drawBeside(double x, String text) {
    boolean fits = x + 8 + DIGIT_WIDTH * text.length() < LEFT + BAR_WIDTH;
    svg.text(fits ? "label" : "label inside", fits ? x + 8 : LEFT + BAR_WIDTH - 8, y + 13, text);
  }

  private void drawBlocks() {
    if (map.file().stride() == 0) {
      svg.text("label", LEFT, y + 13, "no task has room, so there are no chunks");
      y += ROW_HEIGHT;
      return;
    }
    drawTaskNumbers();
    for (int row = 0; row < map.rowCount(); row++) {
      drawRow(row);
      y += ROW_HEIGHT;
    }
  }

  private void drawTaskNumbers() {
    y += 12;
    svg.text("row", LEFT - 8, y, "task");
    double x = LEFT;
    double free = LEFT;
    for (int column = 0; column < map.columnCount(); column++) {
      double width = map.room(column) * pixelsPerByte;
      String name = map.taskName(map.localRanks(column).first());
      double half = DIGIT_WIDTH * name.length() / 2;
      double middle = x + width / 2;
      if (width > 0 && middle - half >= free) {
        svg.text("number", middle, y, name);
        free = middle + half + DIGIT_WIDTH;
      }
      x += width;
    }
    y += 5;
  }

  private void drawRow(int row) {
    Span blocks = map.blocks(row);
    svg.text("row", LEFT - 8, y + 13, name(blocks));
    svg.group("block");
    double x = LEFT;
    for (int column = 0; column < map.columnCount(); column++) {
      Cell cell = map.cell(row, column);
      double width = cell.room() * pixelsPerByte / blocks.count();
      if (cell.room() > 0) {
        drawCell(x, width, cell, map.name(column) + ", " + name(blocks));
      }
      x += width;
    }
    svg.endGroup();
  }

  private void drawCell(double x, double width, Cell cell, String name) {
    FillDegree degree = FillDegree.of(cell.used(), cell.room());
    double share = (double) cell.used() / cell.room();
    String bytes = words("%,d of %,d bytes", cell.used(), cell.room());
    String title = words("%s: %s (%.0f %%)", name, bytes, 100 * share);
    svg.box("hole", x, y, width, BAR_HEIGHT, title);
    if (cell.used() > 0) {
      svg.box("used " + degree.style(), x, y, width * share, BAR_HEIGHT, title);
    }
    if (width >= LEAST_OUTLINED) {
      drawBorder(x, width * share);
    }
  }

  /** A separator line, omitted where it would hide what follows. */
  private void drawBorder(double x, double usedWidth) {
    if (usedWidth == 0) {
      svg.line("border", x, y, x, y + BAR_HEIGHT);
    } else if (usedWidth >= LEAST_BORDERED) {
      svg.line("border light", x, y, x, y + BAR_HEIGHT);
    }
  }

  private static String name(Span blocks) {
    return blocks.count() == 1
        ? "block " + blocks.first()
        : String.format("blocks %d to %d", blocks.first(), blocks.last());
  }
}
