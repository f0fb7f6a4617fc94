package dev.cairn.command;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;

/**
 * Standard output that throws on failure. {@link System#out} swallows failures, so a full disk
 * would look like success. It owns the stream under it.
 */
public final class StandardOutput extends OutputStream {
  private final OutputStream stream;

  public StandardOutput(OutputStream stream) {
    this.stream = stream;
  }

  /**
   * The reader of the output has closed its pipe early, as {@code head} does. This is not a failure
   * of the command.
   */
  public static final class ReaderLeft extends IOException {
    private static final long serialVersionUID = 1L;

    ReaderLeft(IOException cause) {
      super(cause);
    }
  }

  @Override
  public void write(int oneByte) throws IOException {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      stream.write(bytes, offset, length);
    } catch (IOException failure) {
      throw explained(failure);
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  /** The JDK reports a broken pipe only by the operating system's message text. */
  private static IOException explained(IOException failure) {
    String words = String.valueOf(failure.getMessage());
    if (words.contains("Broken pipe")) {
      return new ReaderLeft(failure);
    }
    FileSystemException named = new FileSystemException("standard output", null, words);
    named.initCause(failure);
    return named;
  }
}
