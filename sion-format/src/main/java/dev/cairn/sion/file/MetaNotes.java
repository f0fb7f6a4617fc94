package dev.cairn.sion.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was read of each physical file while a multifile was opened, so that it can be opened again
 * without touching the files. The bytes are only good for processes of one job: they hold no
 * version, since all of them run the same program.
 */
public final class MetaNotes {
  /** Less than a message buffer holds, so that a sender can add a header. */
  private static final long MOST_BYTES = Integer.MAX_VALUE - (1 << 16);

  private final Path multifile;
  private final Map<String, FileNotes> files = new LinkedHashMap<>();

  public MetaNotes(Path multifile) {
    this.multifile = multifile;
  }

  /** The notes that {@link #bytes} packed. */
  public static MetaNotes of(Path multifile, ByteBuffer bytes) {
    MetaNotes notes = new MetaNotes(multifile);
    ByteBuffer in = bytes.slice();
    while (in.hasRemaining()) {
      byte[] name = new byte[in.getInt()];
      in.get(name);
      notes.files.put(new String(name, StandardCharsets.UTF_8), FileNotes.unpack(in));
    }
    return notes;
  }

  /** The same files, with every read recorded in the notes from now on. */
  public FileSource.Origin taken(FileSource.Origin origin) {
    return path -> {
      FileSource file = origin.open(path);
      FileNotes notes = new FileNotes(file.size());
      files.put(path.getFileName().toString(), notes);
      return new NotingSource(file, notes);
    };
  }

  /** Files that are read from the notes, and opened for bytes that the notes lack. */
  public FileSource.Origin replayed(FileSource.Origin origin) {
    return path -> {
      FileNotes notes = files.get(path.getFileName().toString());
      return notes == null ? origin.open(path) : new NotedSource(path, notes, origin);
    };
  }

  /** All notes as one payload. */
  public ByteBuffer bytes() throws IOException {
    ByteBuffer out = ByteBuffer.allocate(payloadSize());
    files.forEach(
        (name, notes) -> {
          byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
          out.putInt(encoded.length).put(encoded);
          notes.pack(out);
        });
    return out.flip();
  }

  private int payloadSize() throws IOException {
    long size = 0;
    for (Map.Entry<String, FileNotes> entry : files.entrySet()) {
      int nameSize = entry.getKey().getBytes(StandardCharsets.UTF_8).length;
      size += Integer.BYTES + nameSize + entry.getValue().packedSize();
    }
    if (size > MOST_BYTES) {
      throw new IOException(
          String.format(
              "%s: its meta data take %d bytes, more than one payload holds: let each process open"
                  + " the multifile itself.",
              multifile, size));
    }
    return (int) size;
  }
}
