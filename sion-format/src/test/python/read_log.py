#!/usr/bin/env python3
"""Reads a log as docs/reference/log.md says, and checks all that can be checked.

    read_log.py DIRECTORY ...

Prints a line of JSON for each log: its state, where it breaks, and its records. It shares no code with Cairn, and needs
nothing but Python's standard library: so the two agree on the format, and not on a mistake.
"""

import json
import pathlib
import re
import struct
import sys

MOST_HEAD = FRAME = 1 << 20
MOST_INT, MOST_LONG = (1 << 31) - 1, (1 << 63) - 1
MOST_PAYLOAD, MOST_NOTE = MOST_HEAD // 4 * FRAME, 65536


class Misfit(Exception):
    """Bytes that are not what comes next."""


class Cut(Misfit):
    """What comes next begins, and the file ends within it."""


class Break(Exception):
    """The log breaks at (segment, offset)."""

    def __init__(self, segment, offset, misfit):
        super().__init__(str(misfit))
        self.segment, self.offset, self.misfit = segment, offset, misfit


def require(truth, sentence, kind=Misfit):
    if not truth:
        raise kind(sentence)


def crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


CRC_TABLE = crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def up(size):
    return -(-size // 8) * 8


def segment_head(data, number):
    """The head of a segment that fits to itself."""
    require(len(data) >= 64, "no whole head", Cut)
    require(data[:8] == b"CAIRNLOG", "another magic")
    require(crc32c(data[:60]) == struct.unpack_from("<I", data, 60)[0], "the head has another checksum")
    version, segment, log, generation, rank, rank_count, first, reserved, zero = struct.unpack_from("<IIQQIIQQI", data, 8)
    require(version == 2, f"version {version}")
    legal = segment <= MOST_INT and generation <= MOST_LONG and rank < rank_count <= MOST_INT
    require(legal and 1 <= first <= MOST_LONG and reserved == zero == 0, "illegal fields")
    require(segment == number, f"segment {segment}")
    return {"id": log, "generation": generation, "rank": rank, "rankCount": rank_count, "first": first}


def same_log(first, head):
    return first is None or all(first[name] == head[name] for name in ("id", "generation", "rank", "rankCount"))


class Fields:
    """The fields of a record's head, up to its checksum."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, code, count=1):
        size = struct.calcsize("<" + code) * count
        require(size <= len(self.data) - self.at, "the head is too small for its fields")
        self.at += size
        return struct.unpack_from(f"<{count}{code}", self.data, self.at - size)

    def number(self, code, least, most):
        value, = self.take(code)
        require(least <= value <= most, f"{value} is not {least} to {most}")
        return value


def record_head(data):
    """The head in data, which is as long as it says, and of which the first 36 bytes are sound."""
    require(crc32c(data[:-4]) == struct.unpack("<I", data[-4:])[0], "the head has another checksum")
    fields = Fields(data[:-4])
    record = {"size": fields.number("I", 40, MOST_HEAD), "kind": ("put", "note")[fields.number("I", 1, 2) - 1]}
    record["id"] = fields.take("Q")[0]
    record["sequence"] = fields.number("Q", 1, MOST_LONG)
    record["payloadSize"] = fields.number("Q", 0, MOST_PAYLOAD)
    fields.take("I")
    least, most = 0, MOST_NOTE
    if record["kind"] == "put":
        least = most = put_fields(fields, record)
    record["frames"] = fields.take("I", -(-record["payloadSize"] // FRAME))
    rest = fields.data[fields.at:]
    require(len(rest) < 8, "more fields than there are")
    require(least <= record["payloadSize"] <= most, "another payload size than the fields say")
    return record


def put_fields(fields, record):
    """The size of the payload that the region of a put has."""
    record["variable"] = fields.number("I", 0, MOST_INT)
    record["elementSize"] = fields.number("I", 1, MOST_INT)
    dimensions = fields.number("I", 0, MOST_HEAD)
    count = fields.number("I", 1, MOST_HEAD)
    require(dimensions > 0 or count == 1, "several boxes without dimensions")
    require(24 * dimensions * count <= len(fields.data) - fields.at, "the head is too small for its boxes")
    record["boxes"], cells = [], 0
    for _ in range(count):
        start, extent, stride = (fields.take("Q", dimensions) for _ in range(3))
        box = 1
        for at, many, step in zip(start, extent, stride):
            require(many >= 1 and step >= 1 and at + (many - 1) * step <= MOST_LONG, "an illegal box")
            box *= many
        require(box <= MOST_LONG, "an illegal box")
        cells += box
        record["boxes"].append([start, extent, stride])
    require(cells * record["elementSize"] <= MOST_LONG, "a region of too many bytes")
    return cells * record["elementSize"]


class Log:
    def __init__(self, directory):
        names = (re.fullmatch(r"s(\d{6}|[1-9]\d{6,9})\.log", path.name) for path in directory.iterdir())
        numbers = sorted(int(name[1]) for name in names if name and int(name[1]) <= MOST_INT)
        self.data = {number: (directory / ("s%06d.log" % number)).read_bytes() for number in numbers}
        self.head, self.records = None, []

    def read(self):
        """The state, and where the log breaks."""
        try:
            number = 0
            while number == 0 or number - 1 < max(self.data, default=0):
                self.segment(number)
                number += 1
            return "open", None
        except Break as broken:
            is_torn = isinstance(broken.misfit, Cut) and broken.segment == max(self.data, default=0)
            return ("torn" if is_torn else "damaged"), [broken.segment, broken.offset]

    def segment(self, number):
        at = 0
        try:
            require(number in self.data, "no such segment", Cut)
            data = self.data[number]
            head = segment_head(data, number)
            require(same_log(self.head, head), "a segment of another log")
            require(head["first"] == len(self.records) + 1, "another first record")
            self.head = self.head or head
            at = 64
            while at < len(data):
                record = self.record(data, at)
                self.records.append(record)
                at += record["size"] + up(record["payloadSize"])
        except Misfit as misfit:
            raise Break(number, at, misfit)

    def record(self, data, at):
        require(len(data) - at >= 36, "no whole start", Cut)
        require(crc32c(data[at:at + 32]) == struct.unpack_from("<I", data, at + 32)[0], "the start has another checksum")
        size, = struct.unpack_from("<I", data, at)
        require(40 <= size <= MOST_HEAD and size % 8 == 0, f"a head of {size} bytes")
        require(len(data) - at >= size, "no whole head", Cut)
        record = record_head(data[at:at + size])
        require(record["id"] == self.head["id"] and record["sequence"] == len(self.records) + 1, "another record")
        require(at + size + up(record["payloadSize"]) <= len(data), "no whole payload", Cut)
        payload = data[at + size:at + size + record["payloadSize"]]
        frames = [payload[start:start + FRAME] for start in range(0, len(payload), FRAME)]
        record["intact"] = [crc32c(frame) for frame in frames] == list(record["frames"])
        record["payload"] = payload.hex() if len(payload) <= MOST_NOTE else "%08x" % crc32c(payload)
        return record


def as_json(directory):
    log = Log(pathlib.Path(directory))
    state, place = log.read()
    hidden = ("size", "frames", "id")
    records = [{name: value for name, value in record.items() if name not in hidden} for record in log.records]
    return json.dumps({"state": state, "break": place, "head": log.head, "records": records})


if __name__ == "__main__":
    for directory in sys.argv[1:]:
        print(as_json(directory))
