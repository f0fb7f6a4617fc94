#!/usr/bin/env python3
"""Reads a checkpoint as docs/reference/multifile.md and docs/reference/checkpoint.md say, and checks all that can be checked.

    read_checkpoint.py heat.cairn/000007

Prints the checkpoint as JSON, or one sentence and exit code 1 if anything in it is wrong. It shares no code with Cairn,
and needs nothing but Python's standard library: so the two agree on the format, and not on a mistake.
"""

import hashlib
import json
import pathlib
import struct
import sys

MASK = (1 << 64) - 1
FRAME_SIZE = 1 << 20
CELL_FORMATS = {"boolean": "?", "byte": "b", "short": "h", "char": "H", "int": "i", "long": "q", "float": "f", "double": "d"}


class Wrong(Exception):
    """Something that is not as the format says."""


def require(truth, sentence):
    if not truth:
        raise Wrong(sentence)


# CRC-32C, the one of iSCSI: reflected polynomial 82f63b78, all ones before and after.

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


# The digest that does not depend on order.

def mix_a(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def mix_b(z):
    z = (z ^ z >> 33) * 0xFF51AFD7ED558CCD & MASK
    z = (z ^ z >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    return z ^ z >> 33


# The two sums of a digest: how numbers are mixed for each, and what lies between them.
SUMS = ((mix_a, 0x9E3779B97F4A7C15), (mix_b, 0xD1B54A32D192ED03))


def hexadecimal(sums):
    return "".join("%016x" % (each & MASK) for each in sums)


class DigestsOfOne:
    """Those of format 1."""

    @staticmethod
    def of_cells(cells):
        """Of pairs of a global number and stored bits."""
        cells = list(cells)
        return hexadecimal(sum(mix(bits + (number + 1) * step & MASK) for number, bits in cells) for mix, step in SUMS)

    @staticmethod
    def of_rows(rows):
        """Of rows of stored bits, which have no number."""

        def row_hash(row, mix, step):
            left = 0
            for place, bits in enumerate(row, 1):
                left = mix(left + bits + place * step & MASK)
            return left

        return hexadecimal(sum(row_hash(row, mix, step) for row in rows) for mix, step in SUMS)

    @staticmethod
    def cells_of_value(first, data):
        """The bytes of a value as cells."""
        return [(first + place, byte) for place, byte in enumerate(data)]


class DigestsOfTwo:
    """Those of format 2."""

    @staticmethod
    def product(mix, step, number, bits):
        key = mix((number + 1) * step & MASK)
        both = bits + key & MASK
        return (both & 0xFFFFFFFF) * (both >> 32)

    @classmethod
    def of_cells(cls, cells):
        cells = list(cells)

        def contribution(number, bits, mix, step):
            line, place = divmod(number, 512)
            weight = mix(-(place + 1) * step & MASK) | 1
            return weight * cls.product(mix, step, line, bits)

        return hexadecimal(sum(contribution(number, bits, mix, step) for number, bits in cells) for mix, step in SUMS)

    @classmethod
    def of_rows(cls, rows):
        def row_hash(row, mix, step):
            return mix(sum(cls.product(mix, step, column, bits) for column, bits in enumerate(row)) & MASK)

        return hexadecimal(sum(row_hash(row, mix, step) for row in rows) for mix, step in SUMS)

    @staticmethod
    def cells_of_value(first, data):
        words = [len(data)] + [int.from_bytes(data[at:at + 8], "little") for at in range(0, len(data), 8)]
        return [(first + place, word) for place, word in enumerate(words)]


DIGESTS = {"1": DigestsOfOne, "2": DigestsOfTwo}


# The multifile.

class PhysicalFile:
    """One file of a multifile: its META1 and META2."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        require(self.bytes[:4] == b"sion", f"{path}: no multifile")
        self.order = ">" if self.bytes[4] & 1 else "<"
        self.version, = self.ints(16, 1)
        require(self.version == 5, f"{path}: format version {self.version}")
        self.block_size, self.count, self.file_count, self.number = self.ints(20, 4)
        flag, = self.longs(36, 1)
        require(flag >> 32 == 51, f"{path}: no records")
        self.global_ranks = self.longs(1076, self.count)
        self.sizes = self.longs(1076 + 8 * self.count, self.count)
        self.max_chunks, = self.ints(1076 + 16 * self.count, 1)
        self.meta_two, = self.longs(1080 + 16 * self.count, 1)
        self.first_chunk = -(-(1088 + 16 * self.count) // self.block_size) * self.block_size
        require(self.meta_two == self.first_chunk + self.max_chunks * sum(self.sizes), f"{path}: META2 is not where it should be")
        self.chunk_counts = self.longs(self.meta_two, self.count)
        self.end = self.meta_two + 8 * self.count * (1 + self.max_chunks)

    def ints(self, at, count):
        return struct.unpack_from(f"{self.order}{count}I", self.bytes, at)

    def longs(self, at, count):
        return struct.unpack_from(f"{self.order}{count}Q", self.bytes, at)

    def mapping(self):
        """Which file and which place in it each task has; stands behind META2 of file 0 of several."""
        if self.file_count == 1:
            return [(0, place) for place in range(self.count)]
        total, = self.ints(self.end, 1)
        flat = self.ints(self.end + 4, 2 * total)
        return list(zip(flat[0::2], flat[1::2]))

    def stream(self, place):
        start = self.first_chunk + sum(self.sizes[:place])
        pieces = []
        for chunk in range(self.chunk_counts[place]):
            used = self.longs(self.meta_two + 8 * self.count * (1 + chunk), self.count)[place]
            require(used <= self.sizes[place], f"task at place {place}: {used} bytes in a chunk of {self.sizes[place]}")
            at = start + chunk * sum(self.sizes)
            pieces.append(self.bytes[at:at + used])
        return b"".join(pieces)

    def records(self, place):
        """The values of a task, by key."""
        stream = self.stream(place)
        values, at = {}, 0
        while at < len(stream):
            key, length = struct.unpack_from(f"{self.order}2Q", stream, at)
            require(at + 16 + length <= len(stream), f"task at place {place}: a record is cut off")
            values[key] = values.get(key, b"") + stream[at + 16:at + 16 + length]
            at += 16 + length
        return values


def read_tasks(data):
    """The records of all tasks of the multifile whose first file is data."""
    first = PhysicalFile(data)
    others = [PhysicalFile(data.with_name("%s.%06d" % (data.name, number))) for number in range(1, first.file_count)]
    files = [first] + others
    return [files[number].records(place) for number, place in first.mapping()]


# What Cairn puts into it.

class Fields:
    """Little-endian numbers, one after another."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, code):
        value, = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize("<" + code)
        return value

    def u32(self):
        return self.take("I")

    def u64(self):
        return self.take("Q")

    def list(self, element):
        return [element() for _ in range(self.u32())]


def read_table(data):
    """A table of contents, checked from its end."""
    require(data[-8:] == b"CAIRNTOC", "a table of contents does not end in CAIRNTOC")
    checksum, size = struct.unpack("<IQ", data[-20:-8])
    require(size == len(data), f"a table of contents of {len(data)} bytes says it has {size}")
    require(checksum == crc32c(data[:-20]), "a table of contents has another checksum")
    fields = Fields(data[:-20])

    def box():
        return fields.list(lambda: (fields.u64(), fields.u64()))

    def entry():
        return {
            "key": fields.u32(), "size": fields.u64(), "recordCount": fields.u32(),
            "boxes": fields.list(box), "checksums": fields.list(fields.u32),
        }

    table = {"save": fields.u32(), "rank": fields.u32(), "rankCount": fields.u32(), "entries": fields.list(entry)}
    require(fields.at == len(fields.data), "a table of contents has bytes left over")
    return table


def split_index(index):
    """The tables of all ranks, each led by its size."""
    fields, tables = Fields(index), []
    while fields.at < len(index):
        size = fields.u32()
        tables.append(index[fields.at:fields.at + size])
        fields.at += size
    return tables


def check_frames(rank, table, records):
    """Every stored byte of a rank."""
    for entry in table["entries"]:
        value = records[entry["key"]]
        require(len(value) == entry["size"], f"rank {rank}, item {entry['key']}: {len(value)} bytes")
        frames = [value[at:at + FRAME_SIZE] for at in range(0, len(value), FRAME_SIZE)]
        require([crc32c(frame) for frame in frames] == entry["checksums"], f"rank {rank}, item {entry['key']}: a frame is damaged")
    require(set(records) == {entry["key"] for entry in table["entries"]} | {0}, f"rank {rank}: other records than its table says")


def numbers_in(box, shape):
    """The global numbers of the cells of a box, in row-major order."""
    numbers = [0]
    for (start, extent), whole in zip(box, shape):
        numbers = [number * whole + start + at for number in numbers for at in range(extent)]
    return numbers


def read_field(item, key, ranks):
    """All cells by their global numbers, as bits."""
    cell_size = struct.calcsize("<" + CELL_FORMATS[item["elementType"]])
    bits = {}
    for table, records in ranks:
        for entry in (entry for entry in table["entries"] if entry["key"] == key):
            numbers = [number for box in entry["boxes"] for number in numbers_in(box, item["shape"])]
            value = records[key]
            require(len(numbers) * cell_size == len(value), f"{item['name']}: the boxes of a rank are not as large as its bytes")
            for at, number in enumerate(numbers):
                require(number not in bits, f"{item['name']}: cell {number} is stored twice")
                bits[number] = int.from_bytes(value[at * cell_size:(at + 1) * cell_size], "little")
    require(sorted(bits) == list(range(item["elementCount"])), f"{item['name']}: not all cells are there")
    return bits


def values_of(bits, element_type):
    code = "<" + CELL_FORMATS[element_type]
    size = struct.calcsize(code)
    return [struct.unpack(code, each.to_bytes(size, "little"))[0] for each in bits]


def cells_in(data, element_type):
    """The bits of cells one behind the other."""
    size = struct.calcsize("<" + CELL_FORMATS[element_type])
    require(len(data) % size == 0, f"{len(data)} bytes are no cells of {size} bytes each")
    return [int.from_bytes(data[at:at + size], "little") for at in range(0, len(data), size)]


def read_table_rows(item, key, ranks):
    """The bits of all rows, those of rank 0 first."""
    rows = []
    for _, records in ranks:
        columns = [cells_in(records.get(key + place, b""), column["elementType"]) for place, column in enumerate(item["columns"])]
        require(len({len(column) for column in columns}) == 1, f"{item['name']}: the columns of a rank are not equally long")
        rows += zip(*columns)
    return rows


# Values: CBOR (RFC 8949) with typed arrays (RFC 8746).

TYPED_ARRAYS = {69: "H", 77: "h", 78: "i", 79: "q", 85: "f", 86: "d"}
BREAK = object()


class Cbor:
    """Reads the items of CBOR, one after another."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        require(count <= len(self.data) - self.at, "a value ends within an item")
        self.at += count
        return self.data[self.at - count:self.at]

    def item(self):
        first, = self.take(1)
        major, info = first >> 5, first & 31
        if major == 7:
            return self.simple(info)
        if info == 31:
            return self.until_break(major)
        argument = info if info < 24 else int.from_bytes(self.take(1 << info - 24), "big")
        if major == 0:
            return argument
        if major == 1:
            return -1 - argument
        if major == 2:
            return list(self.take(argument))
        if major == 3:
            return self.take(argument).decode()
        if major == 4:
            return [self.item() for _ in range(argument)]
        if major == 5:
            return {self.item(): self.item() for _ in range(argument)}
        require(argument in TYPED_ARRAYS, f"a value has the tag {argument}, which this reader does not know")
        code = TYPED_ARRAYS[argument]
        cells = bytes(self.item())
        return list(struct.unpack(f"<{len(cells) // struct.calcsize(code)}{code}", cells))

    def simple(self, info):
        if info in (26, 27):
            return struct.unpack(">f" if info == 26 else ">d", self.take(4 if info == 26 else 8))[0]
        return {20: False, 21: True, 22: None, 31: BREAK}[info]

    def until_break(self, major):
        items = []
        while (item := self.item()) is not BREAK:
            items.append(item)
        return dict(zip(items[0::2], items[1::2])) if major == 5 else items


def read_value(data):
    """What an object of the program was, as dictionaries, lists and numbers."""
    source = Cbor(data)
    value = source.item()
    require(source.at == len(data), "a value has bytes left over")
    return value


def read_values(item, stored):
    """The values of an item in the form that everybody knows, of the ranks in order; those of other codecs are left out."""
    if item["elementType"] != "cbor":
        return {}
    found = [read_value(bytes.fromhex(each)) for each in ([stored] if isinstance(stored, str) else stored)]
    return {item["name"]: found}


def values_of_columns(columns, rows):
    """What the columns of a table hold, by their names: numbers, constants and texts."""
    found, texts = {}, {}
    for place, column in enumerate(columns):
        values = values_of((row[place] for row in rows), column["elementType"])
        if "text" in column:
            parts = texts.setdefault(column["text"]["column"], [b""] * len(rows))
            texts[column["text"]["column"]] = [before + struct.pack("<q", part) for before, part in zip(parts, values)]
        elif "constants" in column:
            found[column["name"]] = [column["constants"][value] for value in values]
        else:
            found[column["name"]] = values
    found.update({name: [text.rstrip(b"\0").decode() for text in parts] for name, parts in texts.items()})
    return found


# Bytes that rank 0 stores for all, and bytes of each rank, with how far apart the ranks' numbers lie in the digest.
SHARED_KINDS = ("replicated", "randomStreams", "output")
PRIVATE_KINDS = {"perRank": 32, "accumulator": 32, "generator": 32, "stream": 40, "graph": 40}


def read_graph(stored):
    """The roots and the classes of a graph, as the table in front of its objects has them; the sizes are checked."""
    place = 0

    def number(code):
        nonlocal place
        place += struct.calcsize("<" + code)
        return struct.unpack_from("<" + code, stored, place - struct.calcsize("<" + code))[0]

    def text():
        nonlocal place
        size = number("I")
        place += size
        return stored[place - size:place].decode()

    def read_class():
        kind, name = number("B"), text()
        fields = [[text() for _ in range(3)] for _ in range(number("I"))]
        count, elements, _, _, size = number("I"), number("Q"), number("B"), number("B"), number("Q")
        return {"kind": kind, "name": name, "fields": fields, "count": count, "elements": elements, "size": size}

    size, version = number("I"), number("B")
    require(version == 1, f"a graph has the version {version}")
    roots = {text(): number("I") for _ in range(number("I"))}
    classes = [read_class() for _ in range(number("I"))]
    require(place == 4 + size, f"the table of a graph has {place - 4} bytes, and not {size}")
    require(sum(each["size"] for each in classes) == len(stored) - place, "a graph has other bytes than its table says")
    return {"roots": roots, "classes": classes}


def read_item(item, key, ranks, digests):
    """The value of an item; its counts and its digest are checked."""
    kind = item["kind"]
    keys = range(key, key + key_count(item))
    byte_count = sum(entry["size"] for table, _ in ranks for entry in table["entries"] if entry["key"] in keys)
    if kind == "field":
        bits = read_field(item, key, ranks)
        count, found = len(bits), digests.of_cells(bits.items())
        value = values_of((bits[number] for number in sorted(bits)), item["elementType"])
    elif kind == "table":
        rows = read_table_rows(item, key, ranks)
        count, found = len(rows), digests.of_rows(rows)
        value = values_of_columns(item["columns"], rows)
    elif kind in SHARED_KINDS:
        stored = ranks[0][1].get(key, b"")
        count, found, value = len(stored), digests.of_cells(digests.cells_of_value(0, stored)), stored.hex()
    elif kind in PRIVATE_KINDS:
        stored = [records.get(key, b"") for _, records in ranks]
        cells = [cell for rank, each in enumerate(stored) for cell in digests.cells_of_value(rank << PRIVATE_KINDS[kind], each)]
        count, found, value = byte_count, digests.of_cells(cells), [each.hex() for each in stored]
        if kind == "graph":
            value = [read_graph(each) for each in stored]
    else:
        raise Wrong(f"{item['name']} is of the kind {kind}, which this reader does not know")
    require((count, byte_count) == (item["elementCount"], item["byteCount"]), f"{item['name']}: {count} elements in {byte_count} bytes")
    require(found == item["digest"], f"{item['name']}: the digest should be {item['digest']}, but is {found}")
    return value


def key_count(item):
    """A table has a key for each column."""
    return max(1, len(item.get("columns", [])))


def read_manifest(path):
    data = path.read_bytes()
    line = data.rindex(b'    "digest": "')
    manifest = json.loads(data)
    require(manifest["format"].split(".")[0] in DIGESTS, f"{path}: format {manifest['format']}")
    if manifest["format"].startswith("1."):
        manifest["tasks"] = [{"role": "rank", "count": manifest["rankCount"]}, {"role": "index", "count": 1}]
    require(hashlib.sha256(data[:line]).hexdigest() == manifest["digest"], f"{path}: the digest is another one")
    return manifest


def check_copy(directory, manifest, copy):
    """The index has the manifest as it was committed; only where the data lie may have changed."""
    require({**json.loads(copy), "hints": 0, "digest": 0} == {**manifest, "hints": 0, "digest": 0}, f"{directory}: another copy of the manifest")


def check_history(directory, manifest):
    """Numbers and ranges that end with the parent."""
    ranges = [[int(number) for number in text.split("-")] for text in manifest["history"].split(", ") if text]
    numbers = [number for each in ranges for number in each]
    require(numbers == sorted(numbers), f"{directory}: the history {manifest['history']}")
    require((numbers[-1] if numbers else None) == manifest["parent"], f"{directory}: the history ends with another save than the parent")


def read_checkpoint(directory):
    manifest = read_manifest(directory / "manifest.json")
    require(manifest["save"] == int(directory.name), f"{directory}: it is save {manifest['save']}")
    tasks = read_tasks(directory / "data.sion")
    require(manifest["tasks"][0] == {"role": "rank", "count": manifest["rankCount"]}, f"{directory}: other tasks of ranks")
    require(manifest["tasks"][-1] == {"role": "index", "count": 1}, f"{directory}: no index at the end")
    require(len(tasks) == sum(each["count"] for each in manifest["tasks"]), f"{directory}: {len(tasks)} tasks")
    if not manifest["format"].startswith("1."):
        check_copy(directory, manifest, tasks[-1][1])
        check_history(directory, manifest)
    index, tasks = tasks[-1][0], tasks[:manifest["rankCount"]]
    require(hashlib.sha256(index).hexdigest() == manifest["contents"], f"{directory}: the index is another one")
    require(split_index(index) == [records[0] for records in tasks], f"{directory}: the index and the ranks differ")
    ranks = [(read_table(records[0]), records) for records in tasks]
    for rank, (table, records) in enumerate(ranks):
        require((table["save"], table["rank"]) == (manifest["save"], rank), f"rank {rank}: the table of another one")
        check_frames(rank, table, records)
    digests = DIGESTS[manifest["format"].split(".")[0]]
    items, values, key = {}, {}, 1
    for item in manifest["items"]:
        items[item["name"]] = read_item(item, key, ranks, digests)
        values.update(read_values(item, items[item["name"]]))
        key += key_count(item)
    return {"save": manifest["save"], "step": manifest["step"], "rankCount": manifest["rankCount"], "items": items, "values": values}


if __name__ == "__main__":
    try:
        print(json.dumps(read_checkpoint(pathlib.Path(sys.argv[1]).resolve())))
    except (Wrong, OSError, ValueError, LookupError, struct.error) as wrong:
        sys.exit(f"{sys.argv[1]}: {wrong}")
