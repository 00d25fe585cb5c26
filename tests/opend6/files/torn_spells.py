torn = [
    Spell(name="No Class", effect=DamagEffect("a bolt", "+9D"), range=RangeAspect("15 leagues"),
        other_aspects={"component": ComponentsAspect("a dart", "ordinary, destroyed")}),
    Spell(range=RangeAspect("15 leagues")),
    Spell(name="Near Names", effect=DamageEffect("a bolt", "+9D"),
        other_aspects={"gesture": GestureAspect("a wave", "simple"), "whim": 3},
        other_conditions=[GenericAspct(1, "at night")]),
]
