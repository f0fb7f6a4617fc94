package dev.cairn.sion.cli;

import dev.cairn.command.TextOutput;
import dev.cairn.sion.Content;
import dev.cairn.sion.GlobalView;
import dev.cairn.sion.RecordView;
import java.io.IOException;
import java.util.List;

/**
 * The parts of siondump's output that {@code -k} and {@code -K} add: the keys, and the records, of
 * each task. Keys are printed as signed numbers, as in C. For plain bytes only a rule is printed.
 */
final class KeyText {
  private static final int RECORDS_IN_LINE = 5;

  private final TextOutput out;
  private final GlobalView view;

  KeyText(TextOutput out, GlobalView view) {
    this.out = out;
    this.view = view;
  }

  boolean hasRecords() {
    return view.info().content() == Content.RECORDS;
  }

  private interface Printer {
    void print(int task, RecordView records) throws IOException;
  }

  void printKeys() throws IOException {
    printEach(this::printKeys);
  }

  void printRecords() throws IOException {
    printEach(this::printRecords);
  }

  private void printEach(Printer printer) throws IOException {
    out.line(SummaryText.RULE);
    if (!hasRecords()) {
      return;
    }
    for (int task = 0; task < view.taskCount(); task++) {
      printer.print(task, view.task(task).records());
    }
    out.line(SummaryText.RULE);
  }

  private void printKeys(int task, RecordView records) throws IOException {
    int number = 0;
    for (long key : records.keys()) {
      out.text("Task ").zeroFilled(task, 2);
      out.text(": key[").zeroFilled(number++, 2).text("]=").right(key, 8);
      out.text(": #blocks=").right(records.recordCount(key), 6);
      out.text(" totalsize=").right(records.size(key), 10);
      out.line();
    }
  }

  private void printRecords(int task, RecordView records) throws IOException {
    List<RecordView.Entry> entries = records.entries();
    out.text("Task ").zeroFilled(task, 2).text(":");
    for (int number = 0; number < entries.size(); number++) {
      if (number > 0 && number % RECORDS_IN_LINE == 0) {
        out.line();
        out.text("       :");
      }
      RecordView.Entry entry = entries.get(number);
      out.text(" [").zeroFilled(number, 2).text(":k=<").number(entry.key());
      out.text(">,size=").number(entry.length()).text("]");
    }
    out.line();
  }
}
