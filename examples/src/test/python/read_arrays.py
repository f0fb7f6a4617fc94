import json, math, struct

FORMATS = dict(boolean="?", byte="b", short="h", char="H", int="i", long="q", float="f", double="d")


def crc32c(data, crc=0xFFFFFFFF):
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 * (crc & 1)
    return crc ^ 0xFFFFFFFF


def read_table(path, data):
    """The table of a file: its checksum, its place and its number of checksums are right."""
    no_file = f"{path} is no whole file of arrays:"
    if len(data) < 24 or data[-8:] != b"CAIRNAR1":
        raise ValueError(f"{no_file} it does not end with CAIRNAR1")
    size, crc = struct.unpack("<QQ", data[-24:-8])
    length = len(data) - 24 - size
    if length < 0 or crc32c(data[length:-24]) != crc:
        raise ValueError(f"{no_file} its table is damaged")
    table = json.loads(data[length:-24])
    if table["length"] != length:
        raise ValueError(f"{no_file} its table is for {table['length']} bytes, and {length} precede it")
    if len(table["sums"]) * table["frameSize"] < length:
        raise ValueError(f"{no_file} its table has {len(table['sums'])} checksums for {length} bytes")
    return table


def read_arrays(path):
    """The arrays of a file, by name: their shapes, and their cells in row-major order."""
    data = open(path, "rb").read()
    table = read_table(path, data)
    for frame, crc in enumerate(table["sums"]):
        start, end = frame * table["frameSize"], (frame + 1) * table["frameSize"]
        if crc32c(data[start : min(end, table["length"])]) != crc:
            raise ValueError(f"{path} is damaged in frame {frame}")
    arrays, end = {}, 0
    for array in table["arrays"]:
        name, shape, offset = array["name"], array["shape"], array["offset"]
        cells = f"<{math.prod(shape)}{FORMATS[array['type']]}"
        if offset % 4096 or offset < end or offset + struct.calcsize(cells) > table["length"]:
            raise ValueError(f"{path} is damaged: {name} cannot be at byte {offset}")
        arrays[name] = (shape, struct.unpack_from(cells, data, offset))
        end = offset + struct.calcsize(cells)
    return arrays
