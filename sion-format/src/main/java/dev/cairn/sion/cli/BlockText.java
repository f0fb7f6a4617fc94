package dev.cairn.sion.cli;

import dev.cairn.command.TextOutput;
import dev.cairn.sion.GlobalView;
import dev.cairn.sion.TaskView;
import java.io.IOException;

/**
 * The part of siondump's output that {@code -a} adds: ten blocks of all tasks, then the next ten.
 */
final class BlockText {
  private static final int BLOCKS_IN_ROW = 10;
  private static final String MARGIN = " ".repeat(70);

  private final TextOutput out;
  private final GlobalView view;
  private final SizeUnit unit;

  /**
   * What is printed for blocks that a task did not use: C shows no entries of a set of several
   * files.
   */
  private final long unusedBlock;

  BlockText(TextOutput out, GlobalView view, SizeUnit unit) {
    this.out = out;
    this.view = view;
    this.unit = unit;
    this.unusedBlock = view.spansFiles() ? -1 : view.unusedBlockEntry();
  }

  void print() throws IOException {
    int blockCount = view.blockCount();
    out.line();
    out.line(SummaryText.RULE);
    for (int first = 0; first < blockCount; first += BLOCKS_IN_ROW) {
      int end = Math.min(blockCount, first + BLOCKS_IN_ROW);
      printHeading(first, end);
      for (int task = 0; task < view.taskCount(); task++) {
        printRow(view.task(task), first, end);
      }
      out.line();
    }
    out.line(SummaryText.RULE);
  }

  private void printHeading(int first, int end) throws IOException {
    out.text(MARGIN);
    for (int block = first; block < end; block++) {
      out.text("BLK").zeroFilled(block, 3).text("    ");
    }
    out.line();
  }

  private void printRow(TaskView task, int first, int end) throws IOException {
    out.text("Task ").zeroFilled(task.task(), 2);
    unit.task(out.text(": size="), task.size());
    out.text(" glblrnk=").right(task.globalRank(), 4);
    out.text(" #blks=").right(task.blockCount(), 2);
    unit.task(out.text(" lsz="), task.chunkSize());
    unit.endTask(out);
    for (int block = first; block < end; block++) {
      unit.block(out, block < task.blockCount() ? task.bytesInBlock(block) : unusedBlock);
    }
    out.line();
  }
}
