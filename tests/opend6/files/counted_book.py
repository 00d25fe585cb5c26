from textwrap import dedent
from opend6_tools.dice import D

fog = Spell(
    name="Counted Fog",
    effect=GenericEffect("fills a street with fog", 24 + 10),
    notes=dedent("""
        Rolls in from the harbour.
          It smells of tar.
        """),
    duration=DurationAspect((2*D).measure),
    range=RangeAspect("15 m"),
)
dart = Spell(name="Counted Dart", effect=DamageEffect("Dart", 2*D + 1*D), range=RangeAspect(5*3))
bad = Spell(name="Wrong Sum", effect=GenericEffect("sum", 2 + "a"))
