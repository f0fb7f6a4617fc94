package dev.cairn.command;

import java.io.IOException;
import java.util.List;

/**
 * Writes JSON value by value, so that a document may be larger than the memory. It puts the commas;
 * the caller opens and closes in the right order. One thread at a time.
 */
public final class JsonWriter {
  private final TextOutput out;

  /** Whether the next value is the first of its object or array, or stands behind its name. */
  private boolean first = true;

  public JsonWriter(TextOutput out) {
    this.out = out;
  }

  public JsonWriter beginObject() {
    return begin("{");
  }

  public JsonWriter endObject() {
    return end("}");
  }

  public JsonWriter beginArray() {
    return begin("[");
  }

  public JsonWriter endArray() {
    return end("]");
  }

  public JsonWriter name(String name) {
    value(name);
    out.text(":");
    first = true;
    return this;
  }

  public JsonWriter value(long number) {
    separate();
    out.number(number);
    return this;
  }

  public JsonWriter value(String text) {
    separate();
    out.text("\"");
    text.chars().forEach(unit -> out.text(escaped((char) unit)));
    out.text("\"");
    return this;
  }

  /** Lets the next value begin a line. */
  public JsonWriter line() throws IOException {
    separate();
    first = true;
    out.line();
    return this;
  }

  /** A named array with a line for each sentence. */
  public JsonWriter sentences(String name, List<String> sentences) throws IOException {
    name(name).beginArray();
    for (String sentence : sentences) {
      line().value(sentence);
    }
    return endArray();
  }

  private JsonWriter begin(String bracket) {
    separate();
    out.text(bracket);
    first = true;
    return this;
  }

  private JsonWriter end(String bracket) {
    out.text(bracket);
    first = false;
    return this;
  }

  private void separate() {
    if (!first) {
      out.text(",");
    }
    first = false;
  }

  private static String escaped(char unit) {
    return switch (unit) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      default -> unit < ' ' ? String.format("\\u%04x", (int) unit) : String.valueOf(unit);
    };
  }
}
