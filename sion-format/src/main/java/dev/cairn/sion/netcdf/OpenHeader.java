package dev.cairn.sion.netcdf;

import dev.cairn.sion.store.BlockFile;
import java.io.IOException;

/**
 * The header of a file that exists, checked as a whole.
 *
 * @param layout where everything lies
 * @param recordCount how many records there are, also if the header does not say it
 */
record OpenHeader(NetcdfLayout layout, long recordCount) {

  static OpenHeader read(BlockFile file) throws IOException {
    HeaderReader reader = new HeaderReader(file);
    Header header = new HeaderFields<>(reader, HeaderReader.formatOf(file)).walk(Header.BLANK);
    try {
      NetcdfLayout layout = NetcdfLayout.of(header, reader.position());
      long recordCount =
          header.recordCount() == Header.STREAMING
              ? layout.recordsWithin(file.size())
              : header.recordCount();
      layout.requireRecordCount(recordCount);
      return new OpenHeader(layout, recordCount);
    } catch (IllegalArgumentException illegal) {
      throw new NetcdfException.Corrupt(
          file.path(), 0, "in its header " + HeaderFields.sentence(illegal));
    }
  }
}
