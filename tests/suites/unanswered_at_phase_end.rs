//! Tests that a game warns before it leaves a phase with unanswered questions.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::game::{Reply, UnansweredPolicy};

fn home_with_tolls() -> Scratch {
    let home = Scratch::mini();
    home.command(
        "tolls",
        "for _, to in { 'bo', 'ann' } do
           act:prompt({ to = to, key = 'toll', type = 'YesNo', text = 'Pay?', run = 'commands/paid' })
         end
         act:prompt({ to = 'bo', key = 'late', type = 'YesNo', text = 'Later?', run = 'commands/paid', deadline = 900000 })
         act:prompt({ to = 'gm', key = 'own', type = 'YesNo', text = 'You?', run = 'commands/paid' })
         return 'asked'",
    );
    home.command("paid", "return 'paid'");
    home
}

fn game_with_open_tolls(unanswered: UnansweredPolicy) -> Game {
    let mut game = Game::of_program(&home_with_tolls(), "mini");
    game.solo.session.responders_mut().unanswered = unanswered;
    game.text("tolls");
    game
}

fn warning_messages(reply: &Reply) -> Vec<String> {
    let findings = reply.findings.iter();
    findings.map(|one| one.message.to_string()).collect()
}

#[test]
fn next_says_who_owes_what_and_goes_on_without_answers() {
    on_game_thread(|| {
        for word in ["next", "step"] {
            let mut game = game_with_open_tolls(UnansweredPolicy::Refused);
            let hash = game.hash();
            let operations = game.solo.timeline().history().operations().len();
            for line in [word.to_owned(), format!("{word} anyway")] {
                let refusal = game.refusal(&line);
                assert_eq!(refusal.code, "plan/unanswered");
                assert_eq!(
                    refusal.message,
                    "2 answers are still missing: Bo toll (2.1), Ann toll (2.2)"
                );
                assert_eq!(
                    refusal.hints[0],
                    format!("`{line} without answers` moves on anyway")
                );
                assert_eq!(game.hash(), hash);
                let now = game.solo.timeline().history().operations().len();
                assert_eq!(now, operations);
            }
            game.text("answer 2.2 yes");
            let refusal = game.refusal(word);
            assert_eq!(refusal.message, "1 answer is still missing: Bo toll (2.1)");
            game.text(&format!("{word} without answers"));
            assert_ne!(game.hash(), hash);
        }
    });
}

#[test]
fn whoever_owes_nothing_holds_nothing_up() {
    on_game_thread(|| {
        let mut game = game_with_open_tolls(UnansweredPolicy::Refused);
        game.text("answer 2.1 yes");
        game.text("answer 2.2 no");
        // The remaining questions have a deadline, or are for the game master.
        game.text("next");
    });
}

#[test]
fn a_script_of_lines_is_warned_and_goes_on() {
    on_game_thread(|| {
        let mut game = game_with_open_tolls(UnansweredPolicy::Told);
        let reply = game.line("next");
        let wanted = "2 answers are still missing: Bo toll (2.1), Ann toll (2.2)";
        assert_eq!(warning_messages(&reply), [wanted]);
        let mut game = game_with_open_tolls(UnansweredPolicy::Told);
        assert_eq!(
            warning_messages(&game.line("next without answers")),
            [""; 0]
        );
        let mut game = game_with_open_tolls(UnansweredPolicy::Passed);
        assert_eq!(warning_messages(&game.line("next")), [""; 0]);
    });
}
