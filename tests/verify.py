#!/usr/bin/env python3
"""Checks the journal of a game of Arbiter without Arbiter: its chain, the promised seed, and every die.

    python3 verify.py FOLDER|JOURNAL [SEED]

SEED is 64 hex digits; without it the file `secret` of the folder is used, else the seed that the journal reveals.
It ends with 0 if all is as it was recorded, else with 1 after naming each difference. Nothing of the program is used.
"""
import hashlib
import itertools
import json
import os
import re
import sys


def sha256(text):
    return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()


def words(seed, address):
    """The 32-bit numbers of an address, without end."""
    for block in itertools.count(1):
        digest = sha256(seed + " " + address + ("#%d" % block if block > 1 else ""))
        yield from (int(digest[at:at + 8], 16) for at in range(0, 64, 8))


def face(seed, address, sides):
    """The face of a die; with 0 sides the number that a random order sorts by."""
    limit = (1 << 32) // sides * sides if sides else 1 << 32
    word = next(word for word in words(seed, address) if word < limit)
    return word % sides + 1 if sides else word


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def is_right(die, by_hand, seed):
    """Whether a die shows what it may: a typed one any of its faces, another one its own, as far as the seed is known."""
    address, sides, shown = die
    return 1 <= shown <= sides if by_hand else not seed or face(seed, address, sides) == shown


class Journal:
    """The lines of a journal, as far as their chain holds."""

    def __init__(self, path):
        self.folder, name = (path, "journal.jsonl") if os.path.isdir(path) else os.path.split(path)
        self.lines, self.chain, self.wrong = [], "", []
        for line in read(self.folder, name).split(b"\n")[:-1]:  # What is behind the last end is a write that never ended.
            text, _, chain = line.rpartition(b"\t")
            if sha256(self.chain.encode() + text).encode() != chain:
                self.wrong.append("line %d is not what was written" % (len(self.lines) + 1))
                break
            self.chain = chain.decode()
            self.lines.append(json.loads(text))

    def operations(self):
        """The operations; one that was too large for its line lies in a file that is named by its hash."""
        for number, line in enumerate(self.lines[1:], 1):
            text = read(self.folder, "blobs", line["blob"]) if "blob" in line else b""
            if text and sha256(text) == line["blob"]:
                line = json.loads(text)
            if line["seq"] != number or "kind" not in line:
                self.wrong.append("operation %d is not in its place, or not what its name says" % number)
                return
            yield line

    def seed(self, operations):
        """The seed that was promised, in hex; nothing if it is not known."""
        told = sys.argv[2:3]
        if not told and os.path.exists(os.path.join(self.folder, "secret")):
            told = [read(self.folder, "secret").hex()]
        if told and not self.is_promised(told[0]):
            self.wrong.append("the seed is not the one that was promised")
        documents = (document for operation in operations for document in operation.get("documents", []))
        data = (document.get("data") for document in documents)
        told += [one.get("seed") for one in data if isinstance(one, dict)]
        return next((seed for seed in told if self.is_promised(seed)), None)

    def is_promised(self, seed):
        is_seed = re.fullmatch("[0-9a-f]{64}", str(seed))
        return any(is_seed and line.get("seed") == sha256(bytes.fromhex(seed)) for line in self.lines[:1])


class Game:
    """What dice depend on: slots, phases, salts. It follows from the changes that the lines tell."""

    def __init__(self):
        # Rulings that hold or were taken back: number, highest slot so far. Cells of @clock, @salts and @ruling-SLOT.
        self.live, self.undone, self.cells = [], [], {}

    def next_slot(self):
        return self.live[-1][1] + 1 if self.live else 1

    def waits(self, slot):
        return ("@ruling-%s" % slot, "@kind") in self.cells

    def slots(self, operation):
        """Where the inputs stand: in the slot of a ruling that waits, else in the next one; and whose salts count there."""
        inputs, asked = operation.get("inputs", []), waited(operation)
        said = asked or operation.get("slot", not corrects(operation) and inputs and place(inputs[0]["address"]))
        waits = said if said and self.waits(said) else None
        slot = waits if waits and not corrects(operation) else self.next_slot()
        return slot, waits or slot

    def seed(self, seed, slot):
        """The seed of a ruling: with the salts of earlier phases; one that waits keeps those that it began with."""
        fields = sorted(int(field) for row, field in self.cells if row == "@salts" and field.isdigit())
        salts, phase = [self.cells["@salts", str(field)] for field in fields], self.cells.get(("@clock", "serial"), 1)
        later = [at for at, salt in enumerate(salts) if salt.get("phase", phase - 1) >= phase] + [len(salts)]
        many = self.cells.get(("@ruling-%s" % slot, "salts"), 0) if self.waits(slot) else later[0]
        return sha256(" ".join([seed] + [salt["text"] for salt in salts[:many]])) if many else seed

    def add(self, operation):
        for row, field, _, new in operation.get("changes", []):
            self.cells.pop((row, field), None)
            if new is not None and (row in ("@clock", "@salts") or row.startswith("@ruling-")):
                self.cells[row, field] = new
        kind = operation["kind"]
        if kind in ("ruling", "revert", "replace"):
            self.live.append((operation["seq"], max(operation.get("slot", 0), self.next_slot() - 1)))
            self.undone = []
        elif kind == "undo" and self.live:
            self.undone.append(self.live.pop())
        elif kind == "redo" and self.undone:
            self.live.append(self.undone.pop())


def waited(operation):
    """The slot of a correction that waits: its lines say it in the place of a rule."""
    rule = (operation.get("causes") or [{}])[0].get("rule", "")
    return int((re.fullmatch("correction#([0-9]+)", rule) or [0, 0])[1])


def corrects(operation):
    """Whether a line corrects the past, or waits to do so."""
    return "of" in operation and operation["kind"] in ("revert", "replace") or waited(operation) > 0


def place(address):
    """The slot of an address; in a game that was a fork its name comes before it."""
    return int((re.match("(?:[^/]*:)?([0-9]+)/", address) or [0, 0])[1])


def misplaced(one, slot, counts, is_past):
    """Whether an address is not the next one of its purpose and roller in the slot; corrections go back to earlier ones."""
    own, (_, purpose, who, count) = place(one["address"]), (one["address"].split("/") + [""] * 4)[:4]
    if not count.isdigit() or one["address"].count("/") != 3:
        return True
    if is_past or own != slot:
        return not (is_past and 0 < own < slot and int(count) > 0)
    if one.get("sides") == 0:
        return count != "1"
    last, counts[purpose, who] = counts.get((purpose, who), 0), int(count)
    is_loose = one.get("typed") or "face" not in one
    return int(count) <= last if is_loose else int(count) != last + 1


def standing(operations, live):
    """What holds, without what corrections take out: what they are about, with the answers to it, or other corrections."""
    out = set()
    for one in (operations[number - 1] for number in sorted(live, reverse=True)):
        if "of" not in one or one["seq"] in out:
            continue
        other = operations[one["of"] - 1]
        is_back = one["kind"] == "revert" and "of" in other
        while not is_back and other.get("of", other["seq"]) < other["seq"]:
            other = operations[other["of"] - 1]
        later = (number for number in live if other["seq"] <= number < one["seq"])
        answers = {number for number in later if operations[number - 1].get("slot", 0) == other.get("slot")}
        out |= {one["of"]} if is_back else answers
    return live - out


def main():
    journal = Journal(sys.argv[1])
    operations = list(journal.operations())
    seed = journal.seed(operations)
    game, faces, right, typed, forked, drawn, known = Game(), hashlib.sha256(), 0, 0, 0, [], set()
    for operation in operations:
        (slot, salted), is_past, inputs = game.slots(operation), corrects(operation), operation.get("inputs", [])
        own_seed, counts, has_past = seed and game.seed(seed, salted), {}, is_past or game.waits(slot)
        for one in inputs:
            where, is_wrong = "operation %d, %s" % (operation["seq"], one["address"]), misplaced(one, slot, counts, is_past)
            journal.wrong += [where + ": this is not its address"] if is_wrong else []
            if "face" not in one:
                continue
            die, by_hand = (one["address"], one["sides"], one["face"]), one.get("typed", False)
            faces.update(("%d %s %d %d" % (operation["seq"], *die) + " typed" * by_hand + "\n").encode())
            forked += ":" in one["address"].split("/")[0]
            drawn += [] if by_hand else [(operation["seq"], one["address"])]
            if not is_wrong and not is_right(die, by_hand, own_seed) and not (has_past and die in known):
                journal.wrong.append("%s: recorded is %d, which is not its face" % (where, one["face"]))
            elif not is_wrong:
                typed, right = typed + by_hand, right + bool(own_seed and not by_hand)
        known |= {(one["address"], one["sides"], one["face"]) for one in inputs if "face" in one}
        game.add(operation)
    journal.wrong += [] if seed else ["the seed is not known"]
    live = standing(operations, {number for number, _ in game.live})
    seen = {address for number, address in drawn if number not in live}
    print("".join("wrong: %s\n" % wrong for wrong in journal.wrong), end="")
    print("chain: %d lines, the last ends in %s" % (len(journal.lines), journal.chain))
    shown = (right, typed, len(seen), forked, faces.hexdigest())
    print("faces: %d from the seed, %d typed, %d seen, %d of forks, all together %s" % shown)
    return 1 if journal.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
