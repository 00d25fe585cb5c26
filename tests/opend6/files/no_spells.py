"""Nothing but words: Spell(name="Unsaid")."""
# Spell(name="Unsaid too")
