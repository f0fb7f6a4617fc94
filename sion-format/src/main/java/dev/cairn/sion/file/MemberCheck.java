package dev.cairn.sion.file;

import dev.cairn.sion.failure.SionException;
import dev.cairn.sion.format.FileHeader;

/** What is equal in all physical files of a multifile. */
public final class MemberCheck {
  private final FileHead first;
  private final FileHead member;

  private MemberCheck(FileHead first, FileHead member) {
    this.first = first;
    this.member = member;
  }

  /**
   * Refuses {@code member}, file number {@code fileNumber}, if it was written for another
   * multifile.
   */
  public static void require(FileHead first, FileHead member, int fileNumber) throws SionException {
    new MemberCheck(first, member).check(fileNumber);
  }

  private void check(int fileNumber) throws SionException {
    FileHeader mine = first.header();
    FileHeader its = member.header();
    requireEqual("file number", fileNumber, its.fileNumber());
    requireEqual("number of files", mine.fileCount(), its.fileCount());
    requireEqual("prefix", mine.prefix(), its.prefix());
    requireEqual("fsblksize", mine.blockSize(), its.blockSize());
    requireEqual("file format version", mine.version().number(), its.version().number());
    requireEqual("endianness word", hex(mine.endiannessWord()), hex(its.endiannessWord()));
    requireEqual("flag1", mine.flag1(), its.flag1());
    requireEqual("flag2", mine.flag2(), its.flag2());
  }

  private static String hex(int word) {
    return String.format("0x%08x", word);
  }

  private void requireEqual(String field, Object expected, Object found) throws SionException {
    if (!expected.equals(found)) {
      throw new SionException.ForeignFile(member.path(), first.path(), field, expected, found);
    }
  }
}
