#!/usr/bin/env python3
"""Checks the journal of a game of Arbiter without Arbiter: its chain, the promised seed, and every die.

    python3 verify.py FOLDER|JOURNAL [SEED]

SEED is 64 hex digits; without it the file `secret` of the folder is used, else the seed that the journal reveals.
It ends with 0 if everything is as it was recorded, else with 1 after naming each difference, the first one first.
Only the standard library is used, and nothing of the program is believed: what it says here is all that it does.
"""
import hashlib
import json
import os
import sys


def sha256(text):
    return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()


def words(seed, address):
    """The 32-bit numbers of an address, without end."""
    block = 1
    while True:
        more = "" if block == 1 else "#%d" % block
        digest = hashlib.sha256((seed + " " + address + more).encode()).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at:at + 4], "big")
        block += 1


def face(seed, address, sides):
    """The face of a die; with 0 sides the number that a random order sorts by."""
    limit = (1 << 32) // sides * sides if sides else 1 << 32
    word = next(word for word in words(seed, address) if word < limit)
    return word % sides + 1 if sides else word


class Journal:
    """The lines of a journal, as far as their chain holds."""

    def __init__(self, path):
        self.folder = path if os.path.isdir(path) else os.path.dirname(path)
        name = os.path.join(path, "journal.jsonl") if os.path.isdir(path) else path
        self.lines, self.chain, self.wrong = [], "", []
        with open(name, "rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break  # A write that never ended.
                text, _, chain = line[:-1].rpartition(b"\t")
                if sha256(self.chain.encode() + text).encode() != chain:
                    self.wrong.append("line %d is not what was written" % number)
                    break
                self.chain = chain.decode()
                self.lines.append(json.loads(text))
        self.first = self.lines[0] if self.lines else {}

    def operations(self):
        """The operations; one that was too large for its line lies in a file that is named by its hash."""
        for number, line in enumerate(self.lines[1:], 1):
            if "blob" in line:
                with open(os.path.join(self.folder, "blobs", line["blob"]), "rb") as file:
                    text = file.read()
                if sha256(text) != line["blob"]:
                    self.wrong.append("operation %d is not what its name says" % number)
                    return
                line = json.loads(text)
            if line["seq"] != number:
                self.wrong.append("operation %d is not in its place" % line["seq"])
                return
            yield line

    def seed(self, operations):
        """The seed that was promised, in hex; nothing if it is not known."""
        told = [sys.argv[2]] if len(sys.argv) > 2 else []
        secret = os.path.join(self.folder, "secret")
        if not told and os.path.exists(secret):
            with open(secret, "rb") as file:
                told = [file.read().hex()]
        if told and not self.is_promised(told[0]):
            self.wrong.append("the seed is not the one that was promised")
        for operation in operations:
            for document in operation.get("documents", []):
                data = document.get("data")
                told.append(data.get("seed") if isinstance(data, dict) else None)
        return next((seed for seed in told if self.is_promised(seed)), None)

    def is_promised(self, seed):
        try:
            return sha256(bytes.fromhex(seed)) == self.first.get("seed")
        except (TypeError, ValueError):
            return False


class Game:
    """What dice depend on: slots, phases, salts. It follows from the changes that the lines tell."""

    def __init__(self):
        self.live, self.undone = [], []  # Rulings that hold or were taken back: number, highest slot so far.
        self.cells = {}  # Cells of the rows @clock, @salts and @ruling-SLOT, by row and field.

    def next_slot(self):
        return self.live[-1][1] + 1 if self.live else 1

    def waits(self, slot):
        return ("@ruling-%s" % slot, "@kind") in self.cells

    def slot(self, operation):
        """Where the inputs stand: in the slot of a ruling that waits, else in the next one."""
        inputs = operation.get("inputs", [])
        said = operation.get("slot", inputs and place(inputs[0]["address"]))
        return said if said and self.waits(said) and "of" not in operation else self.next_slot()

    def seed(self, seed, slot):
        """The seed of a ruling: with the salts of earlier phases; one that waits keeps those that it began with."""
        fields = sorted(int(field) for row, field in self.cells if row == "@salts" and field.isdigit())
        salts = [self.cells["@salts", str(field)] for field in fields]
        phase = self.cells.get(("@clock", "serial"), 1)
        many = 0
        while many < len(salts) and salts[many].get("phase", phase - 1) < phase:
            many += 1
        if self.waits(slot):
            many = self.cells.get(("@ruling-%s" % slot, "salts"), 0)
        return sha256(" ".join([seed] + [salt["text"] for salt in salts[:many]])) if many else seed

    def add(self, operation):
        for row, field, _, new in operation.get("changes", []):
            if row in ("@clock", "@salts") or row.startswith("@ruling-"):
                self.cells.pop((row, field), None)
                if new is not None:
                    self.cells[row, field] = new
        kind = operation["kind"]
        if kind in ("ruling", "revert", "replace"):
            self.live.append((operation["seq"], max(operation.get("slot", 0), self.next_slot() - 1)))
            self.undone = []
        elif kind == "undo" and self.live:
            self.undone.append(self.live.pop())
        elif kind == "redo" and self.undone:
            self.live.append(self.undone.pop())


def place(address):
    """The slot of an address; in a game that was a fork its name comes before it."""
    digits = address.split("/")[0].rpartition(":")[2]
    return int(digits) if digits.isdigit() else 0


def misplaced(one, slot, counts, corrects):
    """Whether an address is not the next one of its purpose and roller in the slot; corrections go back to earlier ones."""
    own, (_, purpose, who, count) = place(one["address"]), (one["address"].split("/") + [""] * 4)[:4]
    if not count.isdigit() or one["address"].count("/") != 3:
        return True
    if corrects:
        return not 0 < own < slot or int(count) == 0
    if own != slot or one.get("sides") == 0:
        return own != slot or count != "1"
    last = counts.get((purpose, who), 0)
    counts[purpose, who] = int(count)
    is_loose = one.get("typed") or "face" not in one
    return int(count) <= last if is_loose else int(count) != last + 1


def left_out(operations, live):
    """What corrections take out of what holds: what they are about, with the answers to it, or other corrections."""
    out = set()
    for one in (operations[number - 1] for number in sorted(live, reverse=True)):
        if "of" not in one or one["seq"] in out:
            continue
        other = operations[one["of"] - 1]
        if one["kind"] == "revert" and "of" in other:
            out.add(one["of"])
            continue
        while other.get("of", other["seq"]) < other["seq"]:
            other = operations[other["of"] - 1]
        between = [operations[number - 1] for number in live if other["seq"] <= number < one["seq"]]
        out |= {each["seq"] for each in between if "slot" in each and each["slot"] == other.get("slot")}
    return out


def main():
    journal = Journal(sys.argv[1])
    operations = list(journal.operations())
    seed = journal.seed(operations)
    game, faces, right, typed, forked, drawn, known = Game(), hashlib.sha256(), 0, 0, 0, {}, set()
    for operation in operations:
        slot, corrects, inputs = game.slot(operation), "of" in operation, operation.get("inputs", [])
        own_seed, counts = seed and game.seed(seed, slot), {}
        for one in inputs:
            where = "operation %d, %s" % (operation["seq"], one["address"])
            is_wrong = misplaced(one, slot, counts, corrects)
            if is_wrong:
                journal.wrong.append(where + ": this is not its address")
            if "face" not in one:
                continue
            sides, shown, by_hand = one["sides"], one["face"], one.get("typed", False)
            line = "%d %s %d %d%s\n" % (operation["seq"], one["address"], sides, shown, " typed" * by_hand)
            faces.update(line.encode())
            forked += ":" in one["address"].split("/")[0]
            if by_hand:
                is_other = not 1 <= shown <= sides
            else:
                is_other = bool(own_seed) and face(own_seed, one["address"], sides) != shown
                drawn.setdefault(operation["seq"], []).append(one["address"])
            if corrects and (one["address"], sides, shown) in known:
                is_other = False  # Ruled again with what was drawn then.
            if is_other and not is_wrong:
                journal.wrong.append("%s: recorded is %d, which is not its face" % (where, shown))
            if not is_wrong and not is_other:
                typed, right = typed + bool(by_hand), right + bool(own_seed and not by_hand)
        known |= {(one["address"], one["sides"], one["face"]) for one in inputs if "face" in one}
        game.add(operation)
    if not seed:
        journal.wrong.append("the seed is not known")
    live = {number for number, _ in game.live}
    live -= left_out(operations, live)
    seen = {address for number, all in drawn.items() if number not in live for address in all}
    for wrong in journal.wrong:
        print("wrong: " + wrong)
    print("chain: %d lines, the last ends in %s" % (len(journal.lines), journal.chain))
    counts = (right, typed, len(seen), forked, faces.hexdigest())
    print("faces: %d from the seed, %d typed, %d seen, %d of forks, all together %s" % counts)
    return 1 if journal.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
