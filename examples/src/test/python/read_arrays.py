import json, math, struct

FORMATS = dict(boolean="?", byte="b", short="h", char="H", int="i", long="q", float="f", double="d")


def crc32c(data, crc=0xFFFFFFFF):
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 * (crc & 1)
    return crc ^ 0xFFFFFFFF


def read_arrays(path):
    """The arrays of a file, by name: their shapes, and their cells in row-major order."""
    data = open(path, "rb").read()
    size, crc, mark = struct.unpack("<QQ8s", data[-24:])
    table = data[-24 - size : -24]
    if mark != b"CAIRNAR1" or crc32c(table) != crc:
        raise ValueError(f"{path} is no whole file of arrays")
    table = json.loads(table)
    for frame, crc in enumerate(table["sums"]):
        start, end = frame * table["frameSize"], (frame + 1) * table["frameSize"]
        if crc32c(data[start : min(end, table["length"])]) != crc:
            raise ValueError(f"{path} is damaged in frame {frame}")
    return {
        array["name"]: (
            array["shape"],
            struct.unpack_from(f"<{math.prod(array['shape'])}{FORMATS[array['type']]}", data, array["offset"]),
        )
        for array in table["arrays"]
    }
