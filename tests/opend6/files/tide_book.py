"""A book of "tides": what it says is skipped."""
from opend6_tools.magic import *
import sys  # Spell(name="no")

class Odd(Spell):
    pass

def Spell_maker(): return Spell

salt_line = Spell(
    name="Salt Line",
    notes="""A line of salt
    that nobody crosses; it's "dry".""",
    skill='alteration',
    effect=ProtectionEffect("Ward", "+3D", "physical damage"),
    duration=DurationAspect("1 min"),
    range=RangeAspect("10 m"),  # to the door
    casting_time=CastingTimeAspect("1 round"),
    speed=SpeedAspect.based_on("range", "Instantaneous"),
    other_aspects={
        "gestures": GesturesAspect("draws a line", "simple"),
        "component": ComponentsAspect("salt", ("common"), ),
    },
    other_conditions=[GenericAspect(1, "only at low " "tide"),],
)

tide_book = [
    Spell(name="Broken", effect=DamageEffect("x", "3D"), range=RangeAspect("3 leagues")),
    Spell(name="Worse", effect=nothing),
    magic.Miracle(name="Ebb", effect=GenericEffect("Ebb", 12), duration=DurationAspect(1, Time.round)),
    Cantrip(name="Warm Cup", effect=DamageEffect("Heat", 1*D+1)),
    Item(name="Ring", effect=SpecialAbilityEffect("Flight", 1), type="ring", price="M"),
    Item(name="Cursed", effect=SpecialAbilityEffect("Flight", 1), skill="x"),
    Spell(name="Open", effect=DamageEffect("x, "3D")),
    Spell(name="Last", effect=DamageEffect("x", "3D")),
]

if __name__ == "__main__":
    main(tide_book)
