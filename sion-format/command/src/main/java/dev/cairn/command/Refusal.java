package dev.cairn.command;

import java.io.IOException;

/** A verb cannot do what it was asked to; the message is the sentence that the user reads. */
public final class Refusal extends IOException {
  private static final long serialVersionUID = 1L;

  public Refusal(String sentence) {
    super(sentence);
  }

  public Refusal(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
