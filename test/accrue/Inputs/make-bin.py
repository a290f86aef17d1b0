"""Writes a token file: make-bin.py FILE TYPE COUNT TOKENS [MAGIC VERSION].

TYPE is H (u16) or I (u32), TOKENS are numbers joined by commas, repeated until
there are COUNT. With MAGIC and VERSION the file has a header of llm.c.
"""

import struct
import sys

path, code, count, tokens = sys.argv[1:5]
values = [int(token) for token in tokens.split(",")]
data = [values[i % len(values)] for i in range(int(count))]
with open(path, "wb") as out:
    if len(sys.argv) > 5:
        magic, version = map(int, sys.argv[5:7])
        out.write(struct.pack("<256i", magic, version, len(data), *[0] * 253))
    out.write(struct.pack(f"<{len(data)}{code}", *data))
