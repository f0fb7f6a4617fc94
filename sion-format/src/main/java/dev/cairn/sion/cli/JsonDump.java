package dev.cairn.sion.cli;

import dev.cairn.command.JsonWriter;
import dev.cairn.command.TextOutput;
import dev.cairn.sion.Content;
import dev.cairn.sion.FileMapping;
import dev.cairn.sion.GlobalView;
import dev.cairn.sion.RecordView;
import dev.cairn.sion.TaskView;
import java.io.IOException;
import java.util.Set;

/**
 * A multifile's meta data as one JSON object, with a line for each task, key and record. Sizes and
 * ranks are numbers; what is a pattern of 64 bits (flags, keys) is the string of an unsigned
 * number.
 *
 * <pre>
 * { file, prefix, metaDataOrder, userDataOrder, libraryVersion, libraryPatchLevel,
 *   fileFormatVersion, fsblksize, ntasks, nfiles, filenumber, flag1, flag2, content, maxchunks,
 *   tasks: [ { task, globalRank, file, localRank, chunkSize, size, blocks: [ bytes ],
 *              keys: [ { key, records, size } ],          with -k, where content is "records"
 *              records: [ { key, length } ] } ] }         with -K, where content is "records"
 * </pre>
 */
final class JsonDump {
  private final TextOutput out;
  private final JsonWriter json;
  private final GlobalView view;
  private final GlobalView.Info info;
  private final Set<Detail> details;

  /** What is left out unless asked for, since it costs a walk over all records. */
  enum Detail {
    KEYS,
    RECORDS
  }

  JsonDump(TextOutput out, GlobalView view, Set<Detail> details) {
    this.out = out;
    this.json = new JsonWriter(out);
    this.view = view;
    this.info = view.info();
    this.details = info.content() == Content.RECORDS ? details : Set.of();
  }

  /**
   * Prints all of it.
   *
   * @param file the name that the user gave
   */
  void print(String file) throws IOException {
    json.beginObject();
    printInfo(file);
    json.name("tasks").beginArray();
    for (int task = 0; task < view.taskCount(); task++) {
      json.line();
      printTask(view.task(task));
    }
    json.endArray().endObject();
    out.line();
  }

  private void printInfo(String file) {
    json.name("file").value(file);
    json.name("prefix").value(info.prefix());
    json.name("metaDataOrder").value(ByteOrderName.of(info.metaDataOrder()));
    json.name("userDataOrder").value(ByteOrderName.of(info.userDataOrder()));
    json.name("libraryVersion").value(info.libraryVersion());
    json.name("libraryPatchLevel").value(info.patchLevel());
    json.name("fileFormatVersion").value(info.formatVersion());
    json.name("fsblksize").value(info.blockSize());
    json.name("ntasks").value(view.taskCount());
    json.name("nfiles").value(info.fileCount());
    json.name("filenumber").value(info.fileNumber());
    json.name("flag1").value(Long.toUnsignedString(info.flag1()));
    json.name("flag2").value(Long.toUnsignedString(info.flag2()));
    json.name("content").value(info.content() == Content.RECORDS ? "records" : "bytes");
    json.name("maxchunks").value(view.blockCount());
  }

  private void printTask(TaskView task) throws IOException {
    FileMapping.TaskPlace place = view.place(task.task());
    json.beginObject();
    json.name("task").value(task.task());
    json.name("globalRank").value(task.globalRank());
    json.name("file").value(view.spansFiles() ? place.fileNumber() : fileAlone());
    json.name("localRank").value(place.localRank());
    json.name("chunkSize").value(task.chunkSize());
    json.name("size").value(task.size());
    json.name("blocks").beginArray();
    for (int block = 0; block < task.blockCount(); block++) {
      json.value(task.bytesInBlock(block));
    }
    json.endArray();
    if (!details.isEmpty()) {
      printContent(task.records());
    }
    json.endObject();
  }

  /** A member that was opened alone keeps its number; a file that is the only one is file 0. */
  private int fileAlone() {
    return info.fileCount() > 1 ? info.fileNumber() : 0;
  }

  private void printContent(RecordView records) throws IOException {
    if (details.contains(Detail.KEYS)) {
      json.name("keys").beginArray();
      printKeys(records);
      json.endArray();
    }
    if (details.contains(Detail.RECORDS)) {
      json.name("records").beginArray();
      printRecords(records);
      json.endArray();
    }
  }

  private void printKeys(RecordView records) throws IOException {
    for (long key : records.keys()) {
      json.line().beginObject();
      json.name("key").value(Long.toUnsignedString(key));
      json.name("records").value(records.recordCount(key));
      json.name("size").value(records.size(key));
      json.endObject();
    }
  }

  private void printRecords(RecordView records) throws IOException {
    for (RecordView.Entry entry : records.entries()) {
      json.line().beginObject();
      json.name("key").value(Long.toUnsignedString(entry.key()));
      json.name("length").value(entry.length());
      json.endObject();
    }
  }
}
