"""Plants a fault in an emitted source: plant.py OLD NEW FILE.

Replaces the regular expression OLD, in which a space stands for any white
space, by NEW. It has to occur exactly once: a fault that is not there proves
nothing.
"""

import re
import sys

old, new, path = sys.argv[1:]
with open(path) as file:
    text = file.read()
text, count = re.subn(re.sub(" +", r"\\s*", old), new, text)
if count != 1:
    sys.exit(f"plant.py: expected '{old}' once in {path}, found it {count} times")
with open(path, "w") as file:
    file.write(text)
