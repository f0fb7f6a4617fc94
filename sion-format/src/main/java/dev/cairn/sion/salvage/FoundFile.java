package dev.cairn.sion.salvage;

import dev.cairn.sion.file.FileHead;
import dev.cairn.sion.file.PhysicalFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** One physical file of a broken multifile. It owns the open file, if there is one. */
final class FoundFile implements Closeable {
  private final SalvageView.SalvagedFile finding;
  private final Optional<PhysicalFile> closed;
  private final Optional<UnclosedFile> unclosed;

  private FoundFile(
      SalvageView.SalvagedFile finding,
      Optional<PhysicalFile> closed,
      Optional<UnclosedFile> unclosed) {
    this.finding = finding;
    this.closed = closed;
    this.unclosed = unclosed;
  }

  static FoundFile closed(int fileNumber, PhysicalFile file) {
    return new FoundFile(
        new SalvageView.SalvagedFile(
            fileNumber, file.path(), SalvageView.SalvagedFile.Condition.CLOSED, Optional.empty()),
        Optional.of(file),
        Optional.empty());
  }

  static FoundFile unclosed(int fileNumber, UnclosedFile file, IOException why) {
    return new FoundFile(
        new SalvageView.SalvagedFile(
            fileNumber,
            file.head().path(),
            SalvageView.SalvagedFile.Condition.UNCLOSED,
            Optional.of(why)),
        Optional.empty(),
        Optional.of(file));
  }

  static FoundFile lost(int fileNumber, Path path, IOException why) {
    return new FoundFile(
        new SalvageView.SalvagedFile(
            fileNumber, path, SalvageView.SalvagedFile.Condition.LOST, Optional.of(why)),
        Optional.empty(),
        Optional.empty());
  }

  SalvageView.SalvagedFile finding() {
    return finding;
  }

  Optional<PhysicalFile> closedFile() {
    return closed;
  }

  Optional<UnclosedFile> unclosedFile() {
    return unclosed;
  }

  /** META1 without its tail; empty for a lost file. */
  Optional<FileHead> head() {
    return closed.map(PhysicalFile::head).or(() -> unclosed.map(UnclosedFile::head));
  }

  /**
   * The file as it would be if tasks without a length had these.
   *
   * @throws IOException the trouble, if the file is lost
   */
  PhysicalFile assume(Salvage.Lengths lengths) throws IOException {
    if (closed.isPresent()) {
      return closed.get();
    }
    if (unclosed.isPresent()) {
      return unclosed.get().assume(lengths);
    }
    throw finding.trouble().orElseThrow();
  }

  /** The length of a task's stream; 0 in a lost file. */
  long size(int localRank, Salvage.Lengths lengths) {
    return closed
        .map(file -> file.blocks().size(localRank))
        .or(() -> unclosed.map(file -> file.size(localRank, lengths)))
        .orElse(0L);
  }

  /** A remark on the task for the report; may be empty. */
  String remark(int localRank) {
    return unclosed.map(file -> file.remark(localRank)).orElse("");
  }

  @Override
  public void close() throws IOException {
    Optional<FileHead> open = head();
    if (open.isPresent()) {
      open.get().close();
    }
  }
}
