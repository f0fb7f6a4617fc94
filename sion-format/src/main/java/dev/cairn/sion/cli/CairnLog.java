package dev.cairn.sion.cli;

import dev.cairn.command.JsonWriter;
import dev.cairn.command.Shell;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.failure.LogBreak;
import dev.cairn.sion.log.LogException;
import dev.cairn.sion.log.LogIdentity;
import dev.cairn.sion.log.LogReader;
import dev.cairn.sion.log.LogRecord;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a log of our own format holds, as text or as one JSON object. A log whose first head is lost
 * has neither identity nor records.
 *
 * <pre>
 * { directory, state, break, id, generation, rank, rankCount, recordCount, payloadBytes,
 *   records: [ text ] }
 * </pre>
 */
final class CairnLog implements Inspection {
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private final Path directory;
  private final LogReader log;

  CairnLog(BlockStore store, Path directory) throws IOException {
    this.directory = directory;
    this.log = LogReader.open(store, directory);
  }

  /** Also where its writer was stopped: what it has written whole can be used. */
  @Override
  public boolean isWhole() {
    return !(log.state() instanceof LogReader.State.Damaged);
  }

  /** The state in a word. */
  private String state() {
    return log.state().getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Where the log breaks, if it does. */
  private Optional<LogBreak> breaks() {
    if (log.state() instanceof LogReader.State.Torn torn) {
      return Optional.of(torn.at());
    }
    return log.state() instanceof LogReader.State.Damaged damaged
        ? Optional.of(damaged.at())
        : Optional.empty();
  }

  @Override
  public void printText(TextOutput out) throws IOException {
    out.text(directory.toString()).text(": log of Cairn").line();
    out.line("  state: %s", state());
    if (log.identity().isPresent()) {
      LogIdentity identity = log.identity().get();
      out.line("  id: %016x", identity.id());
      out.line("  generation: %d", identity.generation());
      out.line("  rank: %d of %d", identity.rank(), identity.rankCount());
    }
    out.line("  records: %d", log.recordCount());
    out.line("  bytes of payloads: %d", log.payloadBytes());
    for (LogReader.Cursor cursor = log.cursor(); cursor.advance(); ) {
      out.text("  ").text(inWords(cursor.record())).line();
    }
    if (breaks().isPresent()) {
      out.text(isWhole() ? "note: " : "defect: ").text(breaks().get().toString()).text(".").line();
    }
  }

  @Override
  public void printJson(JsonWriter json) throws IOException {
    json.beginObject();
    json.name("directory").value(directory.toString());
    json.name("state").value(state());
    breaks().ifPresent(at -> json.name("break").value(at.toString()));
    log.identity().ifPresent(identity -> printJson(json, identity));
    json.name("recordCount").value(log.recordCount());
    json.name("payloadBytes").value(log.payloadBytes());
    json.name("records").beginArray();
    for (LogReader.Cursor cursor = log.cursor(); cursor.advance(); ) {
      json.line().value(inWords(cursor.record()));
    }
    json.endArray().endObject();
  }

  @Override
  public Optional<String> verify(Shell<BlockStore> shell) throws IOException {
    breaks().ifPresent(at -> Failures.complain(shell, at + "."));
    List<String> damage = new ArrayList<>();
    log.verify(damaged -> damage.add(Failures.sentence(damaged)));
    damage.forEach(sentence -> Failures.complain(shell, sentence));
    if (!isWhole() || !damage.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%s: good; %s, records %d, bytes %d",
            directory,
            state(),
            log.recordCount(),
            log.payloadBytes()));
  }

  @Override
  public void close() throws IOException {
    log.close();
  }

  /** A note says what it is about; what would change the terminal is left out of it. */
  private String inWords(LogRecord record) throws IOException {
    if (record.region().isPresent()) {
      return record.toString();
    }
    try {
      return record + ": " + CONTROL.matcher(log.text(record)).replaceAll("\uFFFD");
    } catch (LogException.DamagedPayload damaged) {
      return record + " whose text is damaged";
    }
  }

  private static void printJson(JsonWriter json, LogIdentity identity) {
    json.name("id").value(String.format("%016x", identity.id()));
    json.name("generation").value(identity.generation());
    json.name("rank").value(identity.rank());
    json.name("rankCount").value(identity.rankCount());
  }
}
