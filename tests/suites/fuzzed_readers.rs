//! Gives random inputs to each reader: none panics, none runs without end, and refused inputs name
//! their place and change nothing. `long --only readers` gives a million inputs to each.

use arbiter_tests::{on_game_thread, readers};

fn assert_reader_survives_inputs(name: &str) {
    let known = readers::READERS;
    let reader = known.iter().find(|reader| reader.name == name);
    let reader = reader.expect("it is one of the readers");
    let given = on_game_thread(|| reader.read_inputs(0..reader.check));
    assert_eq!(
        given.unwrap_or_else(|broken| panic!("{broken}")),
        reader.check
    );
}

macro_rules! readers {
    ($($name:ident),*) => {
        $(#[test] fn $name() { assert_reader_survives_inputs(&stringify!($name).replace('_', " ")); })*

        #[test]
        fn each_reader_has_a_test() {
            let tested = [$(stringify!($name).replace('_', " ")),*];
            assert_eq!(readers::READERS.map(|reader| reader.name.to_owned()), tested);
        }
    };
}

readers!(
    lines, dice, postfix, phrases, templates, outlines, yaml, json, role_texts, journals, archives
);
