//! Tests packed tables.

use super::*;

use proptest::prelude::*;

/// Definitions in one table by `collection/id`.
struct InTable(Vec<(String, String, Table)>);

impl Definitions for InTable {
    fn key_of(&self, table: &Table) -> Option<(&str, &str)> {
        let found = self.0.iter().find(|(_, _, known)| known == table)?;
        Some((&found.0, &found.1))
    }

    fn table_of(&self, collection: &str, id: &str) -> Option<Table> {
        let is_it = |one: &&(String, String, Table)| one.0 == collection && one.1 == id;
        self.0.iter().find(is_it).map(|one| one.2.clone())
    }
}

/// Whether two values are made alike, tables in the same places.
const ALIKE: &str = r#"
local function alike(one, other, known)
  if type(one) ~= "table" or type(other) ~= "table" then
    return one == other or (one ~= one and other ~= other)
  end
  if known[one] then
    return known[one] == other
  end
  known[one] = other
  local count = 0
  for key, value in one do
    count += 1
    local there = if type(key) == "table" then known[key] or key else key
    if not alike(value, other[there], known) then
      return false
    end
  end
  for _ in other do
    count -= 1
  end
  return count == 0
end
return function(one, other) return alike(one, other, {}) end
"#;

fn again(lua: &Lua, values: &[Value], definitions: &InTable) -> Vec<Value> {
    let bytes = pack(values, definitions).expect("it can be packed");
    let made = unpack(lua, &bytes, definitions);
    let made = made.expect("it can be unpacked");
    assert_eq!(
        pack(&made, definitions).as_ref(),
        Some(&bytes),
        "the same bytes"
    );
    made
}

#[test]
fn tables_come_back_with_what_they_share() {
    let lua = Lua::new();
    let alike: mlua::Function = lua.load(ALIKE).eval().unwrap();
    for text in [
        "{}",
        "{ 1, 2, nil, 4, [10] = 'ten', [-1] = true, [0.5] = false }",
        "{ a = { b = { 1, { 'x\\0\\255' } } }, c = 1/0, d = 0/0, [true] = 1 }",
        "(function() local one = { 1 } return { one, one, by = { [one] = 'place' }, [one] = one } end)()",
        "(function() local one = {} one.itself = one one[one] = one return one end)()",
    ] {
        let value: Value = lua.load(format!("return {text}")).eval().unwrap();
        let made = again(&lua, std::slice::from_ref(&value), &InTable(Vec::new()));
        assert!(alike.call::<bool>((value, &made[0])).unwrap(), "{text}");
    }
}

#[test]
fn what_one_value_holds_may_be_a_key_in_the_next() {
    let lua = Lua::new();
    let text = "local inner = { said = 'x' } return { inner = inner }, { [inner] = 7 }, nil, 3";
    let values: mlua::MultiValue = lua.load(text).eval().unwrap();
    let values: Vec<Value> = values.into_iter().collect();
    let made = again(&lua, &values, &InTable(Vec::new()));
    lua.globals().set("made", made[0].clone()).unwrap();
    lua.globals().set("places", made[1].clone()).unwrap();
    let found: i64 = lua.load("return places[made.inner]").eval().unwrap();
    assert_eq!((found, made.len()), (7, 4));
    assert_eq!((&made[2], &made[3]), (&Value::Nil, &Value::Integer(3)));
}

#[test]
fn definitions_are_named_and_others_refuse() {
    let lua = Lua::new();
    let definition: Table = lua.load("return { name = 'Ann' }").eval().unwrap();
    let known = InTable(vec![(
        "people".to_owned(),
        "ann".to_owned(),
        definition.clone(),
    )]);
    let holder = lua.create_table().unwrap();
    holder.set("of", &definition).unwrap();
    let made = again(&lua, &[Value::Table(holder.clone())], &known);
    let of: Table = made[0].as_table().unwrap().get("of").unwrap();
    assert_eq!(of, definition);
    // Unpacking fails without the definition.
    let bytes = pack(&[Value::Table(holder)], &known).unwrap();
    let gone = unpack(&lua, &bytes, &InTable(Vec::new()));
    assert!(gone.is_none());
    for text in [
        "print",
        "{ { print } }",
        "{ [print] = 1 }",
        "setmetatable({}, { __index = {} })",
        "buffer.create(4)",
    ] {
        let value: Value = lua.load(format!("return {text}")).eval().unwrap();
        assert!(pack(&[value], &InTable(Vec::new())).is_none(), "{text}");
    }
}

/// Returns the bytes of a table with a bit of everything.
fn sample(lua: &Lua) -> Vec<u8> {
    let text = "local one = { 'a', 2 } return { one, b = one, [one] = { c = 0.5, d = true } }";
    let value: Value = lua.load(text).eval().unwrap();
    pack(&[value], &InTable(Vec::new())).unwrap()
}

#[test]
fn bytes_of_nothing_and_keys_that_are_none_are_refused() {
    let lua = Lua::new();
    let none = InTable(Vec::new());
    let with = |key: Item, value: Item| Packed {
        texts: vec![b"a"],
        definitions: Vec::new(),
        tables: vec![Entries {
            list: Vec::new(),
            others: vec![(key, value)],
        }],
        values: vec![Item::Table(0)],
    };
    for packed in [
        with(Item::Nothing, Item::Bool(true)),
        with(Item::Number(f64::NAN), Item::Bool(true)),
        with(Item::Text(1), Item::Bool(true)),
        with(Item::Table(0), Item::Definition(0)),
        with(Item::Text(0), Item::Table(1)),
    ] {
        let bytes = postcard::to_allocvec(&packed).unwrap();
        assert!(unpack(&lua, &bytes, &none).is_none());
    }
    assert!(unpack(&lua, b"", &none).is_none());
}

#[test]
fn more_than_a_machine_takes_is_refused() {
    let (lua, none) = (Lua::new(), InTable(Vec::new()));
    let with = |texts: usize, items: usize| Packed {
        texts: vec![b""; texts],
        definitions: Vec::new(),
        tables: vec![Entries {
            list: vec![Item::Nothing; items],
            others: Vec::new(),
        }],
        values: vec![Item::Table(0)],
    };
    for (packed, is_taken) in [
        (with(MOST, 1000), true),
        (with(MOST + 1, 0), false),
        (with(0, BYTES), false),
    ] {
        let bytes = postcard::to_allocvec(&packed).unwrap();
        assert_eq!(unpack(&lua, &bytes, &none).is_some(), is_taken);
    }
    let text = format!("local t = {{}} for i = 1, {MOST} do t[i] = {{}} end return t");
    let value: Value = lua.load(text).eval().unwrap();
    assert!(pack(&[value], &none).is_none());
}

proptest! {
    #[test]
    fn no_bytes_are_too_much(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let lua = Lua::new();
        let _ = unpack(&lua, &bytes, &InTable(Vec::new()));
    }

    #[test]
    fn nor_are_those_of_a_table_with_others_in_them(at in 0_usize..80, byte in any::<u8>(), cut in 0_usize..80) {
        let lua = Lua::new();
        let mut bytes = sample(&lua);
        let at = at % bytes.len();
        bytes[at] = byte;
        let _ = unpack(&lua, &bytes, &InTable(Vec::new()));
        bytes.truncate(cut);
        let _ = unpack(&lua, &bytes, &InTable(Vec::new()));
    }
}
