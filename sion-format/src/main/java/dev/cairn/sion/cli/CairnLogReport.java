package dev.cairn.sion.cli;

import dev.cairn.sion.failure.LogBreak;
import dev.cairn.sion.log.LogException;
import dev.cairn.sion.log.LogIdentity;
import dev.cairn.sion.log.LogReader;
import dev.cairn.sion.log.LogRecord;
import java.io.IOException;
import java.nio.file.Path;
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
final class CairnLogReport {
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private final Path directory;
  private final LogReader log;

  CairnLogReport(Path directory, LogReader log) {
    this.directory = directory;
    this.log = log;
  }

  /** Whether all that its writer has written whole can be used. */
  boolean isUsable() {
    return !(log.state() instanceof LogReader.State.Damaged);
  }

  /** The state in a word. */
  String state() {
    return log.state().getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Where the log breaks, if it does. */
  Optional<LogBreak> breaks() {
    if (log.state() instanceof LogReader.State.Torn torn) {
      return Optional.of(torn.at());
    }
    return log.state() instanceof LogReader.State.Damaged damaged
        ? Optional.of(damaged.at())
        : Optional.empty();
  }

  void printText(TextOutput out) throws IOException {
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
      out.text(isUsable() ? "note: " : "defect: ").text(breaks().get().toString()).text(".").line();
    }
  }

  void printJson(JsonWriter json) throws IOException {
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
