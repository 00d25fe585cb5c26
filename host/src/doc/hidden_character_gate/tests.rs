//! Tests the output gate with hostile texts.

use proptest::prelude::*;

use super::*;

/// Returns whether the gate must never emit a character. A list that is independent of the gate.
fn is_forbidden(c: char) -> bool {
    let code = u32::from(c);
    (code < 0x20 && c != '\n')
        || (0x7f..=0x9f).contains(&code)
        || "\u{ad}\u{34f}\u{61c}\u{180e}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{2028}\u{2029}\
            \u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2060}\u{2061}\u{2066}\u{2067}\u{2068}\
            \u{2069}\u{206a}\u{3164}\u{fe00}\u{fe0e}\u{fe0f}\u{feff}\u{fff9}\u{fffb}"
            .contains(c)
        || (0xe0000..=0xe0fff).contains(&code)
}

fn any_hostile_text() -> impl Strategy<Value = String> {
    let any = any::<char>();
    let nasty = prop::sample::select(
        "\x1b\r\n\t\x00\x7f\u{9b}\u{202e}\u{2066}\u{200d}\u{feff}\u{e0041}\u{fe0f}\u{301}⚔a \\"
            .chars()
            .collect::<Vec<char>>(),
    );
    prop::collection::vec(prop_oneof![any, nasty], 0..40)
        .prop_map(|chars| chars.into_iter().collect())
}

#[test]
fn hidden_characters_become_visible() {
    assert_eq!(gate("a\x1b[31mred"), "a\\x1b[31mred");
    assert_eq!(gate("\u{9b}2J\x7f\x08"), "\\x9b2J\\x7f\\x08");
    assert_eq!(gate("Ann\u{202e}nnA\u{200b}"), "Ann\\u{202e}nnA\\u{200b}");
    assert_eq!(gate("a\r\nb\rc\td"), "a\nb\\x0dc    d");
    assert_eq!(gate("\u{e0041}\u{2028}"), "\\u{e0041}\\u{2028}");
    assert_eq!(gate_single_line("Ann\nBo"), "Ann\\x0aBo");
    assert_eq!(
        gate_single_line("Ann\r\nBo\n\u{301}"),
        "Ann\\x0aBo\\x0a\\u{301}"
    );
}

#[test]
fn ordinary_text_passes_without_a_copy() {
    for text in ["", "Zoë, 3 × ½ → ✓\n│ 漢字", "a\\b"] {
        assert!(matches!(gate(text), Cow::Borrowed(same) if same == text));
    }
}

#[test]
fn selectors_go_behind_a_pictograph_and_show_elsewhere() {
    assert_eq!(gate("⚔\u{fe0f} Ann\u{fe0f}"), "⚔ Ann\\u{fe0f}");
}

#[test]
fn piles_of_marks_are_broken_up() {
    assert_eq!(gate("e\u{301}"), "e\u{301}");
    assert_eq!(gate("\u{301}e"), "\\u{301}e");
    let piled = gate("e\u{301}\u{301}\u{301}\u{301}\u{301}").into_owned();
    assert_eq!(piled, "e\u{301}\u{301}\u{301}\u{301}\\u{301}");
}

#[test]
fn broken_bytes_are_replaced() {
    assert_eq!(gate_bytes(b"a\xffb\x1b"), "a\u{fffd}b\\x1b");
}

#[test]
fn long_lines_are_cut_with_a_mark() {
    assert_eq!(gate(&"x".repeat(LINE_LIMIT)).len(), LINE_LIMIT);
    let text = format!("short\n{}\nend", "ä".repeat(LINE_LIMIT));
    let gated = gate(&text);
    let lines: Vec<&str> = gated.split('\n').collect();
    assert_eq!((lines[0], lines[2]), ("short", "end"));
    assert!(lines[1].len() <= LINE_LIMIT);
    assert!(lines[1].ends_with("ä…[+4136 bytes]"), "{}", lines[1]);
}

#[test]
fn a_mods_lines_are_marked_each() {
    assert_eq!(gate_mod_output("fox", "one\ntwo\r\n"), "fox| one\nfox| two");
    assert_eq!(gate_mod_output("f\nx", ""), "f\\x0ax| ");
}

proptest! {
    #[test]
    fn nothing_hidden_comes_out(text in any_hostile_text()) {
        let gated = gate(&text);
        prop_assert!(!gated.chars().any(is_forbidden), "{gated:?}");
        let word = gate_single_line(&text);
        prop_assert!(!word.contains('\n'));
    }

    #[test]
    fn the_gate_is_idempotent(text in any_hostile_text(), times in 1usize..400) {
        let long = text.repeat(times);
        let once = gate(&long).into_owned();
        prop_assert_eq!(gate(&once).into_owned(), once);
    }

    #[test]
    fn marked_lines_pass_the_gate(name in any_hostile_text(), text in any_hostile_text(), times in 1usize..400) {
        let marked = gate_mod_output(&name, &text.repeat(times));
        prop_assert_eq!(gate(&marked).into_owned(), marked.clone());
        prop_assert!(marked.split('\n').all(|line| line.contains("| ")));
    }

    #[test]
    fn any_bytes_pass(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        prop_assert!(!gate_bytes(&bytes).chars().any(is_forbidden));
    }
}
