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


class Illegal(Misfit):
    """A sound head that no correct writer writes."""


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
    require(len(data) >= 64, "no whole head")
    require(data[:8] == b"CAIRNLOG", "another magic")
    require(crc32c(data[:60]) == struct.unpack_from("<I", data, 60)[0], "the head has another checksum")
    version, policy, segment, log, generation, rank, rank_count, first, previous, reserved = struct.unpack_from("<HHIQQIIQQI", data, 8)
    require(version == 1, f"version {version}")
    legal = policy <= 2 and segment <= MOST_INT and generation <= MOST_LONG and rank < rank_count <= MOST_INT
    require(legal and 1 <= first <= MOST_LONG and previous <= MOST_LONG and reserved == 0, "illegal fields", Illegal)
    require(segment == number, f"segment {segment}")
    return {"policy": policy, "id": log, "generation": generation, "rank": rank, "rankCount": rank_count, "first": first, "previousEnd": previous}


def same_log(first, head):
    return first is None or all(first[name] == head[name] for name in ("policy", "id", "generation", "rank", "rankCount"))


class Fields:
    """The fields of a record's head, up to its checksum."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, code, count=1):
        size = struct.calcsize("<" + code) * count
        require(size <= len(self.data) - self.at, "the head is too small for its fields", Illegal)
        self.at += size
        return struct.unpack_from(f"<{count}{code}", self.data, self.at - size)

    def number(self, code, least, most):
        value, = self.take(code)
        require(least <= value <= most, f"{value} is not {least} to {most}", Illegal)
        return value


KINDS = {1: "put", 2: "cancel", 3: "collective", 4: "barrier", 5: "seal", 6: "note"}


def record_head(data):
    """The head in data, which is as long as it says."""
    require(crc32c(data[:-4]) == struct.unpack("<I", data[-4:])[0], "the head has another checksum")
    fields = Fields(data[:-4])
    size = fields.number("I", 48, MOST_HEAD)
    kind = KINDS[fields.number("I", 1, 6)]
    record = {"kind": kind, "size": size, "id": fields.take("Q")[0], "generation": fields.number("Q", 0, MOST_LONG)}
    record["sequence"] = fields.number("Q", 1, MOST_LONG)
    record["payloadSize"] = fields.number("Q", 0, MOST_PAYLOAD)
    least = most = 0
    if kind == "put":
        least = most = put_fields(fields, record)
    elif kind == "seal":
        record["recordCount"] = fields.number("Q", 0, MOST_LONG)
        record["payloadBytes"] = fields.number("Q", 0, MOST_LONG)
        record["checksum"], = fields.take("I")
    elif kind == "note":
        most = MOST_NOTE
    else:
        record["number"] = fields.number("Q", 0 if kind == "barrier" else 1, MOST_LONG)
    record["frames"] = fields.take("I", -(-record["payloadSize"] // FRAME))
    rest = fields.data[fields.at:]
    require(len(rest) < 8 and not any(rest), "more fields than there are", Illegal)
    require(least <= record["payloadSize"] <= most, "another payload size than the fields say", Illegal)
    record["headChecksum"] = data[-4:]
    return record


def put_fields(fields, record):
    """The size of the payload that the region of a put has."""
    record["collective"] = fields.number("Q", 0, MOST_LONG)
    record["variable"] = fields.number("I", 0, MOST_INT)
    record["elementSize"] = fields.number("I", 1, MOST_INT)
    dimensions = fields.number("I", 0, MOST_HEAD)
    count = fields.number("I", 1, MOST_HEAD)
    require(dimensions > 0 or count == 1, "several boxes without dimensions", Illegal)
    require(24 * dimensions * count <= len(fields.data) - fields.at, "the head is too small for its boxes", Illegal)
    record["boxes"], cells = [], 0
    for _ in range(count):
        start, extent, stride = (fields.take("Q", dimensions) for _ in range(3))
        box = 1
        for at, many, step in zip(start, extent, stride):
            require(many >= 1 and step >= 1 and at + (many - 1) * step <= MOST_LONG, "an illegal box", Illegal)
            box *= many
        require(box <= MOST_LONG, "an illegal box", Illegal)
        cells += box
        record["boxes"].append([start, extent, stride])
    require(cells * record["elementSize"] <= MOST_LONG, "a region of too many bytes", Illegal)
    return cells * record["elementSize"]


class Order:
    """What may follow what."""

    def __init__(self):
        self.records, self.payload, self.checksums = 0, 0, b""
        self.collective, self.epoch, self.inside, self.sealed = 0, -1, False, False

    def add(self, record):
        kind = record["kind"]
        require(not self.sealed, "a record behind the seal", Illegal)
        if kind == "put":
            require(record["collective"] in ((self.collective + 1,) if self.inside else (0, self.collective + 1)), "another collective", Illegal)
            self.inside = record["collective"] != 0
        elif kind == "collective":
            require(record["number"] == self.collective + 1, "another collective", Illegal)
            self.collective, self.inside = record["number"], False
        elif kind == "cancel":
            require(record["number"] <= self.records, "a later record is cancelled", Illegal)
        elif kind == "barrier":
            require(not self.inside and record["number"] > self.epoch, "a barrier", Illegal)
            self.epoch = record["number"]
        elif kind == "seal":
            truth = (self.records, self.payload, crc32c(self.checksums))
            require(not self.inside and truth == (record["recordCount"], record["payloadBytes"], record["checksum"]), "another seal", Illegal)
            self.sealed = True
        self.records += 1
        self.payload += record["payloadSize"]
        self.checksums += record["headChecksum"]


class Log:
    def __init__(self, directory):
        names = (re.fullmatch(r"s(\d{6}|[1-9]\d{6,9})\.log", path.name) for path in directory.iterdir())
        numbers = sorted(int(name[1]) for name in names if name and int(name[1]) <= MOST_INT)
        self.data = {number: (directory / ("s%06d.log" % number)).read_bytes() for number in numbers}
        self.heads = {}
        for number, data in self.data.items():
            try:
                self.heads[number] = segment_head(data, number)
            except Misfit:
                pass
        self.first = self.heads.get(0)
        self.heads = {number: head for number, head in self.heads.items() if same_log(self.first, head)}
        self.records, self.order = [], Order()

    def read(self):
        """The state, and where the log breaks."""
        try:
            number = 0
            while True:
                self.segment(number)
                number += 1
                if self.order.sealed or number >= len(self.data):
                    break
            if any(other >= number for other in self.heads):
                raise Break(number, 0, Illegal("a segment behind the seal"))
            return ("sealed" if self.order.sealed else "open"), None
        except Break as broken:
            return ("damaged" if self.went_on(broken) else "torn"), [broken.segment, broken.offset]

    def segment(self, number):
        try:
            require(number in self.data, "no such segment")
            head = segment_head(self.data[number], number)
            require(number in self.heads, "a segment of another log")
            require(head["first"] == self.order.records + 1, "another first record")
        except Misfit as misfit:
            raise Break(number, 0, misfit)
        announced = self.heads[number + 1]["previousEnd"] if number + 1 in self.heads else len(self.data[number])
        end, at = min(announced, len(self.data[number])), 64
        try:
            while at < end:
                record = self.record(self.data[number], at, end)
                self.order.add(record)
                self.records.append(record)
                at += record["size"] + up(record["payloadSize"])
            require(at == announced, "the segment ends elsewhere")
        except Misfit as misfit:
            raise Break(number, at, misfit)

    def record(self, data, at, end):
        require(end - at >= 48, "no whole head")
        size, = struct.unpack_from("<I", data, at)
        require(48 <= size <= min(MOST_HEAD, end - at) and size % 8 == 0, f"a head of {size} bytes")
        record = record_head(data[at:at + size])
        require(self.is_member(record) and record["sequence"] == self.order.records + 1, "another record")
        require(at + size + up(record["payloadSize"]) <= end, "no whole payload")
        payload = data[at + size:at + size + record["payloadSize"]]
        frames = [payload[start:start + FRAME] for start in range(0, len(payload), FRAME)]
        record["intact"] = [crc32c(frame) for frame in frames] == list(record["frames"])
        record["payload"] = payload.hex() if len(payload) <= MOST_NOTE else "%08x" % crc32c(payload)
        return record

    def is_member(self, record):
        return self.first is None or all(self.first[name] == record[name] for name in ("id", "generation"))

    def went_on(self, broken):
        return (isinstance(broken.misfit, Illegal) or self.order.sealed or any(number > broken.segment for number in self.heads)
                or any(self.has_seal(data, broken.offset if number == broken.segment else 0)
                       for number, data in self.data.items() if number >= broken.segment))

    def has_seal(self, data, start):
        for at in range(start, len(data) - 63, 8):
            if struct.unpack_from("<II", data, at) == (64, 5):
                try:
                    if self.is_member(record_head(data[at:at + 64])):
                        return True
                except Misfit:
                    pass
        return False


def as_json(directory):
    log = Log(pathlib.Path(directory))
    state, place = log.read()
    hidden = ("size", "frames", "headChecksum", "id", "generation")
    records = [{name: value for name, value in record.items() if name not in hidden} for record in log.records]
    return json.dumps({"state": state, "break": place, "head": log.first, "records": records})


if __name__ == "__main__":
    for directory in sys.argv[1:]:
        print(as_json(directory))
