package dev.cairn.sion.cli;

import dev.cairn.sion.GlobalView;

/**
 * A physical file as a table of limited size: a row for one or several blocks, a column for one or
 * several tasks. Pure arithmetic.
 */
final class FileMap {
  private static final int MOST_COLUMNS = 110;
  private static final int MOST_ROWS = 16;

  private final GlobalView.FileView file;
  private final int[] tasks;

  /**
   * The table of a file.
   *
   * @param tasks the number of the task with each local rank, or -1 where no mapping names it
   */
  FileMap(GlobalView.FileView file, int[] tasks) {
    this.file = file;
    this.tasks = tasks;
  }

  /**
   * Some tasks in some blocks.
   *
   * @param room the bytes that fit into their chunks
   * @param used the bytes that are in them
   */
  record Cell(long room, long used) {}

  /** Consecutive numbers: of blocks, or of local ranks. */
  record Span(int first, int count) {
    int last() {
      return first + count - 1;
    }
  }

  GlobalView.FileView file() {
    return file;
  }

  /** The number of tasks in a column; the last column may have fewer. */
  int tasksPerColumn() {
    return shares(tasks.length, MOST_COLUMNS);
  }

  /** The number of blocks in a row; the last row may have fewer. */
  int blocksPerRow() {
    return shares(file.blockCount(), MOST_ROWS);
  }

  int columnCount() {
    return shares(tasks.length, tasksPerColumn());
  }

  int rowCount() {
    return shares(file.blockCount(), blocksPerRow());
  }

  /** The local ranks in a column. */
  Span localRanks(int column) {
    return span(column, tasksPerColumn(), tasks.length);
  }

  /** The blocks in a row. */
  Span blocks(int row) {
    return span(row, blocksPerRow(), file.blockCount());
  }

  Cell cell(int row, int column) {
    Span blocks = blocks(row);
    Span ranks = localRanks(column);
    long used = 0;
    for (int rank = ranks.first(); rank <= ranks.last(); rank++) {
      for (int block = blocks.first(); block <= blocks.last(); block++) {
        used += file.bytesInBlock(rank, block);
      }
    }
    return new Cell(room(column) * blocks.count(), used);
  }

  /** The room of a column's tasks in one block. */
  long room(int column) {
    Span ranks = localRanks(column);
    long room = 0;
    for (int rank = ranks.first(); rank <= ranks.last(); rank++) {
      room += file.room(rank);
    }
    return room;
  }

  /** The label of a column: its task, or the first and the last one. */
  String name(int column) {
    Span ranks = localRanks(column);
    return ranks.count() == 1
        ? "task " + taskName(ranks.first())
        : String.format("tasks %s to %s", taskName(ranks.first()), taskName(ranks.last()));
  }

  /** The task with a local rank. Buddy files have helpers that are no tasks of the multifile. */
  String taskName(int localRank) {
    return tasks[localRank] < 0 ? "none" : Integer.toString(tasks[localRank]);
  }

  int tasksWithoutRoom() {
    int count = 0;
    for (int rank = 0; rank < tasks.length; rank++) {
      count += file.room(rank) == 0 ? 1 : 0;
    }
    return count;
  }

  private static Span span(int index, int size, int end) {
    return new Span(index * size, Math.min(size, end - index * size));
  }

  private static int shares(int count, int size) {
    return (int) (((long) count + size - 1) / size);
  }
}
