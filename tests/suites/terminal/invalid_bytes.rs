//! Types invalid input: bytes that are not text, random keys, pastes, and lines without an end.

use std::io::Write;

use arbiter_tests::Scratch;
use rexpect::session::PtySession;

use super::{start_mini, start_with_patience};

/// Sends bytes as the terminal does, text or not.
fn send_bytes(session: &PtySession, bytes: &[u8]) {
    let mut terminal = session.process().get_file_handle().unwrap();
    terminal.write_all(bytes).unwrap();
}

#[test]
fn bytes_that_are_no_text_cost_neither_the_session_nor_the_line() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    session.send("mood ").unwrap();
    session.flush().unwrap();
    session.exp_string("mood ").unwrap();
    send_bytes(&session, b"\xff");
    session.exp_string("error[phrase/encoding]").unwrap();
    session.exp_string("mini night 1> mood ").unwrap();
    session.send_line("Ann").unwrap();
    session.exp_string("Ann feels 4.").unwrap();
}

/// Sequences that a terminal sends by itself, such as an answer about its title or size, are not
/// text.
#[test]
fn sequences_that_the_editor_does_not_know_leave_nothing_in_the_line() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    for stray in [
        &b"\x1b[999;999X"[..],
        b"\x1b]0;hi\x07",
        b"\x1b]11;rgb:0000/0000/0000\x1b\\",
        b"\x1bP1$r0m\x1b\\",
        b"\x1b[?62;1;4c",
        b"\x1b[0n",
    ] {
        send_bytes(&session, b"mood ");
        session.exp_string("mood ").unwrap();
        send_bytes(&session, stray);
        send_bytes(&session, b"Ann\r");
        session.exp_string("Ann feels 4.").unwrap();
        session.exp_string("mini night 1> ").unwrap();
    }
}

#[test]
fn nothing_of_a_paste_is_done_that_holds_bytes_that_are_no_text() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    let behind = "charm Ann with cheer\r".repeat(200);
    for paste in ["charm Bo with cheer\r", &behind] {
        let bytes = [b"\x1b[200~\xff", paste.as_bytes(), b"\x1b[201~"].concat();
        send_bytes(&session, &bytes);
        session.exp_string("error[phrase/encoding]").unwrap();
        session.exp_regex("mini night 1> ").unwrap();
    }
    session.send_line("mood Ann").unwrap();
    session.exp_string("Ann feels 4.").unwrap();
    session.send_line("mood Bo").unwrap();
    session.exp_string("Bo feels 3.").unwrap();
}

#[test]
fn a_long_line_is_drawn_once_and_takes_no_more_than_a_command() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    for (typed, most) in [
        ("a\u{301}".to_owned() + &"\u{301}".repeat(8_000), 20_000),
        ("x".repeat(20_000), 2_000_000),
    ] {
        session.send(&typed).unwrap();
        session.send_line("").unwrap();
        let drawn = session.exp_string("error[phrase/").unwrap();
        assert!(drawn.len() < most, "{} bytes were drawn", drawn.len());
        session.exp_string("mini night 1> ").unwrap();
    }
    let paste = format!("\x1b[200~{}\x1b[201~\r", "x".repeat(1_000_000));
    session.send(&paste).unwrap();
    session.flush().unwrap();
    session.exp_string("error[limit/size]").unwrap();
    session.send_line("mood Ann").unwrap();
    session.exp_string("Ann feels 4.").unwrap();
}

/// The editor counts rows in 16 bits.
#[test]
fn a_paste_of_more_lines_than_the_editor_counts_costs_neither_the_session_nor_the_game() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    for lines in ["x\r", "\r", "charm Ann with cheer\r"] {
        let paste = format!("\x1b[200~{}\x1b[201~\r", lines.repeat(70_000));
        session.send(&paste).unwrap();
        session.flush().unwrap();
        session.exp_string("error[limit/size]").unwrap();
        session.exp_string("mini night 1> ").unwrap();
    }
    session.send_line("mood Ann").unwrap();
    session.exp_string("Ann feels 4.").unwrap();
}

/// A terminal may begin a paste without an end: the end of the next paste ends both.
#[test]
fn a_paste_without_an_end_ends_with_the_next() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    session.send("\x1b[200~mood Ann").unwrap();
    session.send("\x1b[200~\x1b[201~\r").unwrap();
    session.flush().unwrap();
    session.exp_string("mini night 1> ").unwrap();
    session.send_line("mood Bo").unwrap();
    session.exp_string("Bo feels 3.").unwrap();
}

/// Random bytes, keys and ends of pastes; the same at each run.
#[test]
fn whatever_is_typed_the_next_command_is_answered() {
    let keys: [&[u8]; 24] = [
        b"\x1b[A",
        b"\x1b[B",
        b"\x1b[C",
        b"\x1b[D",
        b"\x1b[200~",
        b"\x1b",
        b"\t",
        b"\r",
        b"\x12",
        b"\x19",
        b"\x1by",
        b"\x0b",
        b"\x17",
        b"\x1b5",
        b"\x1b-",
        b"\x16",
        b"\x7f",
        b"mood ",
        b"= {",
        b"\xc3",
        b"\xff",
        b"\xe2\x80\x8d",
        b"\xcc\x81",
        b"\x1b[99;5~",
    ];
    let home = Scratch::mini();
    let mut session = start_with_patience(home.path(), "mini", 500);
    let mut state = 7_u32;
    let mut below = |most: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % most
    };
    for round in 0..20 {
        let typed: Vec<&[u8]> = (0..=below(30)).map(|_| keys[below(keys.len())]).collect();
        send_bytes(&session, &typed.concat());
        // Everything left open is ended: a key that waits for another, a paste, a search, the line.
        // Text after invalid bytes is skipped, and so is text typed before Ctrl-C takes effect, so
        // the line is typed until it is answered.
        let sum = format!("= 7 * 1000 + {round}\r");
        let is_answered = (0..20).any(|_| {
            send_bytes(&session, b"\x1b[201~\x1b[201~\x07\x03");
            // No output marks this moment, so the test waits for the terminal.
            let _ = session.exp_string("at rest");
            send_bytes(&session, sum.as_bytes());
            session.exp_string(&(7000 + round).to_string()).is_ok()
        });
        assert!(is_answered, "round {round}: {typed:?}");
    }
}
