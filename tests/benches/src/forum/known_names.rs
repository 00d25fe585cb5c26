//! Finds the names that a line of the dungeon may contain, like the scripts of its rules.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use host::text::{NameFold, NameSource, NameTable};
use host::value::{Name, Value};

use super::game_view::Game;

/// Names by slot type. Each set is made on its first use.
pub(super) struct Known<'a> {
    game: Game<'a>,
    characters: OnceCell<NameTable>,
    monsters: OnceCell<NameTable>,
}

impl NameSource for Known<'_> {
    fn names(&self, type_name: &str) -> Option<&NameTable> {
        match type_name {
            "Character" => Some(self.characters.get_or_init(|| self.character_names())),
            "Monster" => Some(self.monsters.get_or_init(|| self.monster_names())),
            _ => None,
        }
    }
}

impl<'a> Known<'a> {
    /// Returns the names of a game.
    pub(super) fn of(game: Game<'a>) -> Known<'a> {
        Known {
            game,
            characters: OnceCell::new(),
            monsters: OnceCell::new(),
        }
    }

    /// Returns all @s by name and id.
    fn character_names(&self) -> NameTable {
        let Game { state, fields } = self.game;
        let mut table = NameTable::new(NameFold::Words);
        for row in state.rows_of_kind(fields.character) {
            let id = state.names().text(row);
            if let Some(name) = self.game.field_text(row, fields.name) {
                table.insert(name, Value::Text(id.clone()));
            }
            table.insert(&*id, Value::Text(id.clone()));
        }
        table
    }

    /// Returns the living monsters by each name, nickname or sort that means only one of them.
    fn monster_names(&self) -> NameTable {
        let Game { state, fields } = self.game;
        let mut meanings: BTreeMap<&str, Vec<Name>> = BTreeMap::new();
        let monsters = state.rows_of_kind(fields.monster);
        for row in monsters.filter(|row| *state.get(*row, fields.died_at) == Value::Bool(false)) {
            let [name, sort, nickname] = [fields.name, fields.sort, fields.nickname]
                .map(|field| self.game.field_text(row, field));
            let sort = sort.filter(|sort| Some(*sort) != name);
            for name in [name, sort, nickname].into_iter().flatten() {
                meanings.entry(name).or_default().push(row);
            }
        }
        let mut table = NameTable::new(NameFold::Words);
        for (name, rows) in meanings {
            if let [row] = rows[..] {
                table.insert(name, Value::Text(state.names().text(row)));
            }
        }
        table
    }
}
