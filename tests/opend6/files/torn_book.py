fog = Spell(name="Fog", effect=GenericEffect("Fog", 9), notes="""never closed
mist = Spell(name="Mist", effect=GenericEffect("Mist", 9))
