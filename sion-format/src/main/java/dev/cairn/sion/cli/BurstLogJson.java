package dev.cairn.sion.cli;

import dev.cairn.command.JsonWriter;
import dev.cairn.sion.pnetcdf.BurstLog;
import dev.cairn.sion.pnetcdf.BurstLogSet;
import dev.cairn.sion.pnetcdf.MetaHeader;
import dev.cairn.sion.pnetcdf.PutBoxes;
import dev.cairn.sion.pnetcdf.StagedPut;
import java.io.IOException;
import java.util.function.IntToLongFunction;

/**
 * What logs of PnetCDF hold, as one JSON object. A log whose header is lost has no fields of it.
 *
 * <pre>
 * { logs: [ { meta, data, rank, sharerCount,
 *             layout, byteOrder, rankCount, target, processor, headerSize,
 *             maxDimensions, entryCount, entryBegin,
 *             puts: [ { variable, type, call, dataOffset, dataSize,
 *                       boxes: [ { start: [], count: [], stride: [] } ] } ],
 *             metaTail, dataTail } ],
 *   losses: [ sentence ], conflicts: [ sentence ] }
 * </pre>
 */
final class BurstLogJson {
  private final JsonWriter json;

  BurstLogJson(JsonWriter json) {
    this.json = json;
  }

  void print(BurstLogSet set) throws IOException {
    json.beginObject().name("logs").beginArray();
    for (BurstLog log : set.logs()) {
      json.line();
      print(log);
    }
    json.endArray();
    json.sentences("losses", set.losses()).sentences("conflicts", set.conflicts());
    json.endObject();
  }

  private void print(BurstLog log) throws IOException {
    json.beginObject();
    json.name("meta").value(log.name().meta().toString());
    json.name("data").value(log.name().data().toString());
    json.name("rank").value(log.rank());
    json.name("sharerCount").value(log.sharerCount());
    log.header().ifPresent(this::print);
    json.name("puts").beginArray();
    for (int number = 0; number < log.putCount(); number++) {
      json.line();
      print(log.put(number));
    }
    json.endArray();
    json.name("metaTail").value(log.metaTail());
    json.name("dataTail").value(log.dataTail());
    json.endObject();
  }

  private void print(MetaHeader header) {
    json.name("layout").value(header.layout().name());
    json.name("byteOrder").value(ByteOrderName.of(header.order()));
    json.name("rankCount").value(header.rankCount());
    json.name("target").value(header.target());
    json.name("processor").value(header.processor());
    json.name("headerSize").value(header.size());
    json.name("maxDimensions").value(header.maxDimensions());
    json.name("entryCount").value(header.entryCount());
    json.name("entryBegin").value(header.entryBegin());
  }

  private void print(StagedPut put) {
    PutBoxes boxes = put.boxes();
    json.beginObject();
    json.name("variable").value(put.variable());
    json.name("type").value(put.type().toString());
    json.name("call").value(boxes.kind().call());
    json.name("dataOffset").value(put.dataOffset());
    json.name("dataSize").value(put.dataSize());
    json.name("boxes").beginArray();
    for (int number = 0; number < boxes.boxCount(); number++) {
      int box = number;
      json.beginObject();
      print("start", boxes.dimensionCount(), dimension -> boxes.start(box, dimension));
      print("count", boxes.dimensionCount(), dimension -> boxes.count(box, dimension));
      print("stride", boxes.dimensionCount(), dimension -> boxes.stride(box, dimension));
      json.endObject();
    }
    json.endArray().endObject();
  }

  private void print(String name, int dimensions, IntToLongFunction number) {
    json.name(name).beginArray();
    for (int dimension = 0; dimension < dimensions; dimension++) {
      json.value(number.applyAsLong(dimension));
    }
    json.endArray();
  }
}
