package dev.cairn.sion.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;

/**
 * Standard output whose failures say so. {@link System#out} is no choice: it swallows them, and a
 * full disk would look like success. It owns the stream under it.
 */
public final class StandardOutput extends OutputStream {
  private final OutputStream stream;

  public StandardOutput(OutputStream stream) {
    this.stream = stream;
  }

  /** Whoever was to read our output has left, as {@code head} does. This is no failure of ours. */
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

  /** The JDK tells a broken pipe only by the words of the operating system. */
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
