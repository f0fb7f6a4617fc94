package dev.cairn.examples.chain;

/** The settings, or the data they name, can't be used; the message is a sentence for the user. */
final class SettingsException extends Exception {
  private static final long serialVersionUID = 1L;

  SettingsException(String sentence) {
    super(sentence);
  }
}
