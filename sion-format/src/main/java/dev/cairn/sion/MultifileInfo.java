package dev.cairn.sion;

import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * What a physical file's META1 says of the whole multifile.
 *
 * @param path the physical file that was opened
 * @param metaDataOrder the byte order of meta data and record headers
 * @param userDataOrder the byte order that the writer declared for its own data
 * @param libraryVersion 1000 times the major plus the minor version of the writing library
 * @param patchLevel its patch level
 * @param formatVersion the file format, 2 to 5
 * @param blockSize the bytes to which chunks were aligned
 * @param fileCount the physical files of the multifile
 * @param fileNumber which of them was opened; a serial writer calls its only one 1
 * @param flag1 the flags as they are
 * @param flag2 unused by the format
 * @param prefix the name under which the multifile was created
 * @param content what the tasks' streams hold
 */
public record MultifileInfo(
    Path path,
    ByteOrder metaDataOrder,
    ByteOrder userDataOrder,
    int libraryVersion,
    int patchLevel,
    int formatVersion,
    int blockSize,
    int fileCount,
    int fileNumber,
    long flag1,
    long flag2,
    String prefix,
    Content content) {}
