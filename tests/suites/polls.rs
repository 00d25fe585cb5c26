//! Tests polls: the rules for winners, closing, and visible votes.

use arbiter_tests::{Game, Scratch};
use host::diag::Diagnostic;
use host::doc::{Viewer, for_viewer, plain};
use host::game;
use proptest::prelude::*;

/// Returns a home with the voters Ann, Bo and Cem.
fn home_with_three_voters() -> Scratch {
    let home = Scratch::with_listener_collections();
    home.write(
        "content/mini/people/cem.yaml",
        "source: the host's own tests\nname: Cem\nmood: 3\n",
    );
    home
}

/// Returns the text of a command with this body in a new game.
fn text_of_command_body(home: &Scratch, body: &str) -> String {
    home.command("go", body);
    Game::of(home).text("go")
}

fn refusal_of_command_body(body: &str) -> Diagnostic {
    let home = home_with_three_voters();
    home.command("go", body);
    Game::of(&home).refusal("go")
}

/// Returns Luau that opens a poll with these settings, and gives the votes `voter option` of a
/// list.
fn open_poll_and_vote(settings: &str, votes: &str) -> String {
    format!(
        "local id = poll.open(act, {{ key = 'tea', options = {{ 'green', 'black', 'white' }},
           voters = {{ 'ann', 'bo', 'cem' }}, {settings} }})
         for voter, option in string.gmatch('{votes}', '(%a+) (%a+)') do
           local ok, why = poll.vote(act, id, voter, option)
           if not ok then return act:fail(why.code, why.message, why.hint) end
         end
         local function names(items) return table.concat(items, '+') end\n"
    )
}

#[test]
fn most_votes_win_and_the_count_tells_ranks_turnout_and_voters() {
    let body = open_poll_and_vote("", "ann black bo green cem black")
        + "local now = poll.count(act, id)
           local ranks = list.map(now.ranks, names)
           return `{now.winner} by {names(now.voters)} of {now.turnout.voted}/{now.turnout.of}, ` ..
             `{table.concat(ranks, ' > ')}, green {now.tally.green}, white {now.tally.white} ({now.options[3].rank})`";
    assert_eq!(
        text_of_command_body(&home_with_three_voters(), &body),
        "black by ann+cem of 3/3, black > green > white, green 1, white 0 (3)"
    );
}

#[test]
fn a_tie_is_decided_by_its_rule() {
    let cases = [
        ("", "nil of "),
        ("ties = 'none'", "nil of "),
        ("ties = 'all'", "nil of green+black"),
        ("ties = 'first'", "green of green"),
    ];
    for (rule, expected) in cases {
        let body = open_poll_and_vote(rule, "ann black bo green")
            + "local result = poll.close(act, id)\nreturn `{result.winner} of {names(result.winners)}`";
        assert_eq!(
            text_of_command_body(&home_with_three_voters(), &body),
            expected.trim(),
            "{rule}"
        );
    }
}

#[test]
fn chance_decides_a_tie_by_an_address_with_the_polls_id_and_only_at_closing() {
    let home = home_with_three_voters();
    home.command(
        "go",
        &(open_poll_and_vote("ties = 'random'", "ann black bo green")
            + "local now = poll.count(act, id)
               local result = poll.close(act, id)
               return `{now.winner} {now.by_chance} {names(now.winners)}, {result.winner == result.winners[1]} {#result.winners}`"),
    );
    let mut game = Game::of(&home);
    assert_eq!(game.text("go"), "nil true green+black, true 1");
    let last = game.last_operation();
    let drawn: Vec<String> = last.inputs.iter().map(ToString::to_string).collect();
    assert_eq!(drawn.len(), 1);
    assert!(drawn[0].contains("/tie/poll%231/1"), "{drawn:?}");
}

#[test]
fn nobody_votes_for_what_nobody_voted_for_and_abstaining_never_wins() {
    let body = open_poll_and_vote(
        "abstain = true, ties = 'all'",
        "ann abstain bo Abstain cem green",
    ) + "local now = poll.count(act, id)
         return `{now.winner} {now.turnout.abstained} {now.turnout.voted}`";
    assert_eq!(
        text_of_command_body(&home_with_three_voters(), &body),
        "green 2 1"
    );
    let nothing = open_poll_and_vote("ties = 'all'", "")
        + "local result = poll.close(act, id)\nreturn `{result.winner} {#result.winners}`";
    assert_eq!(
        text_of_command_body(&home_with_three_voters(), &nothing),
        "nil 0"
    );
}

#[test]
fn votes_weigh_what_a_stat_shows_with_its_modifiers_at_the_time_of_counting() {
    let body = open_poll_and_vote("weight = 'mood'", "ann green bo black cem black")
        + "act:set('ann', 'mood', 4) act:set('bo', 'mood', 2) act:set('cem', 'mood', 1)
           local before = poll.count(act, id).winner
           act:attach('cem', 'drum', {}, { modifiers = { { stat = 'mood', op = 'add', value = 2 } } })
           local result = poll.close(act, id)
           act:set('ann', 'mood', 100)
           return `{before}, {result.winner} {result.tally.black}:{result.tally.green}, {poll.count(act, id).winner}, {poll.count(act, id).tally.green}`";
    assert_eq!(
        text_of_command_body(&home_with_three_voters(), &body),
        "green, black 5:4, black, 4"
    );
}

#[test]
fn a_function_may_weigh_the_votes_exactly() {
    let body = open_poll_and_vote("ties = 'all'", "ann green bo green cem black")
        + "local weights = { ann = 0.1, bo = decimal('0.2'), cem = 0.3 }
           local now = poll.count(act, id, function(voter) return weights[voter] end)
           local none = poll.count(act, id, function(voter) return if voter == 'cem' then -1 else 0 end)
           return `{names(now.winners)} {#none.winners} {none.tally.black}`";
    assert_eq!(
        text_of_command_body(&home_with_three_voters(), &body),
        "green+black 0 -1"
    );
    let wrong = refusal_of_command_body(
        &(open_poll_and_vote("", "ann green")
            + "poll.count(act, id, function() return 'much' end)"),
    );
    assert_eq!(
        wrong.message,
        "the weight of ann must be a number, found string"
    );
    let missing = refusal_of_command_body(
        &("act:set('bo', 'power', 2)\n".to_owned()
            + &open_poll_and_vote("weight = 'power'", "ann green")
            + "poll.count(act, id)"),
    );
    assert_eq!(
        missing.message,
        "ann has no power, which is the weight of a vote"
    );
}

#[test]
fn a_vote_is_changed_and_taken_back_until_it_is_fixed_or_the_poll_is_closed() {
    let body = open_poll_and_vote("", "ann green ann black bo green")
        + "local first = poll.count(act, id).tally
           poll.retract(act, id, 'bo')
           local again = poll.count(act, id)
           local _, none = poll.retract(act, id, 'bo')
           poll.close(act, id)
           local _, late = poll.vote(act, id, 'bo', 'green')
           local _, twice = poll.close(act, id)
           return `{first.green} {first.black}, {again.turnout.voted} {again.winner}, {none.code} {late.code} {twice.code}`";
    assert_eq!(
        text_of_command_body(&home_with_three_voters(), &body),
        "1 1, 1 black, poll/no-vote poll/closed poll/closed"
    );
    let fixed = refusal_of_command_body(&open_poll_and_vote("fixed = true", "ann green ann black"));
    assert_eq!(
        fixed.message,
        "Ann has voted, and votes in \"tea\" cannot be changed"
    );
}

#[test]
fn votes_of_strangers_and_for_nothing_are_reasons() {
    let stranger = refusal_of_command_body(
        &(open_poll_and_vote("", "")
            + "local ok, why = poll.vote(act, id, 'mara', 'green')\nreturn act:fail(why.code, why.message, why.hint)"),
    );
    assert_eq!(
        (&*stranger.code, stranger.message.as_str()),
        ("poll/stranger", "mara does not vote in \"tea\"")
    );
    assert_eq!(stranger.hints, ["the voters are Ann, Bo and Cem"]);
    let unknown = refusal_of_command_body(&open_poll_and_vote("", "ann gren"));
    assert_eq!(unknown.message, "\"gren\" is not an option");
    assert_eq!(unknown.hints, ["did you mean green?"]);
}

#[test]
fn the_hammer_falls_at_its_total_or_at_the_majority_of_all_weight() {
    let told = "
      local log = {}
      for voter, option in string.gmatch('ann green bo black cem green', '(%a+) (%a+)') do
        local ok, result = poll.vote(act, id, voter, option)
        table.insert(log, if not ok then result.code elseif result then result.winner else 'on')
      end
      return table.concat(log, ' ')";
    let cases = [
        ("hammer = 1", "green poll/closed poll/closed"),
        ("hammer = 2", "on on green"),
        ("hammer = 3", "on on on"),
        ("hammer = 'majority'", "on on green"),
        ("hammer = 'majority', weight = 'mood'", "on on green"),
        ("hammer = 6, weight = 'mood'", "on on green"),
        (
            "hammer = 4, weight = 'mood'",
            "green poll/closed poll/closed",
        ),
    ];
    for (settings, expected) in cases {
        let settings = settings.to_owned();
        let body = open_poll_and_vote(&settings, "")
            .replace("local id", "act:set('bo', 'mood', 3)\nlocal id");
        assert_eq!(
            text_of_command_body(&home_with_three_voters(), &(body + told)),
            expected,
            "{settings}"
        );
    }
}

#[test]
fn rules_hear_that_a_poll_was_closed() {
    let home = home_with_three_voters();
    home.custom(
        "crier",
        "poll_closed = { where = { owner = 'bo' }, run = function(act, event)
           act:set(event.owner, 'heard', `{event.key} {event.winner} {event.tally.black} {table.concat(event.voters, '+')}`)
         end }",
    );
    let body = open_poll_and_vote("owner = 'bo', hammer = 2", "ann black bo black")
        + "return act:get('bo', 'heard') .. ' ' .. tostring(poll.get(act, id).closed)";
    assert_eq!(
        text_of_command_body(&home, &body),
        "tea black 2 ann+bo true"
    );
}

#[test]
fn what_weighs_the_votes_is_known_and_a_number_when_the_poll_opens() {
    let open = |above: &str, weight: &str| {
        format!(
            "{above}\n{}",
            open_poll_and_vote(&format!("weight = '{weight}'"), "")
        )
    };
    let unknown = |weight: &str| {
        format!(
            "`poll.open` finds no stat \"{weight}\" for the weight of votes, and no voter has such a field"
        )
    };
    let text = "the mood of cem, which is the weight of a vote, is a text, not a number";
    let cases = [
        ("", "moood", unknown("moood"), "did you mean mood?"),
        (
            "act:set('bo', 'power', 2)",
            "powwer",
            unknown("powwer"),
            "did you mean power?",
        ),
        (
            "",
            "zz",
            unknown("zz"),
            "declare it in ruleset.luau under `stats`",
        ),
        (
            "act:set('cem', 'mood', 'glad')",
            "mood",
            text.to_owned(),
            "",
        ),
        ("", "name", text.replace("mood of cem", "name of ann"), ""),
    ];
    for (above, weight, message, hint) in cases {
        let finding = refusal_of_command_body(&open(above, weight));
        assert_eq!(
            (&*finding.code, finding.message),
            ("script/argument", message),
            "{weight}"
        );
        assert_eq!(finding.hints.concat(), hint, "{weight}");
    }
    let fine = [("", "omen"), ("act:set('bo', 'power', 2)", "power")];
    for (above, weight) in fine {
        assert_eq!(
            text_of_command_body(
                &home_with_three_voters(),
                &(open(above, weight) + "return id")
            ),
            "poll#1",
            "{weight}"
        );
    }
}

/// The results of a vote are announced after it, also if the poll is removed by then.
#[test]
fn the_vote_that_lets_the_hammer_fall_is_told_before_what_comes_of_it() {
    for (put_away, shown) in [
        ("", "tea (tea, closed)"),
        ("poll.forget(act, event.poll)", ""),
    ] {
        let home = home_with_three_voters();
        home.custom(
            "crier",
            &format!("poll_closed = function(act, event) act:say('public', `{{event.winner}} it is`) {put_away} end"),
        );
        home.command("open", &open_poll_and_vote("hammer = 1", ""));
        let mut game = Game::of(&home);
        game.text("open");
        let told = game.text("vote black for Bo");
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines[..2], ["Bo votes for black.", "black it is"], "{told}");
        assert_eq!(lines.get(2).copied().unwrap_or_default(), shown, "{told}");
    }
}

#[test]
fn what_only_a_rule_can_get_wrong_is_an_error() {
    let open = |about: &str| refusal_of_command_body(&format!("poll.open(act, {{ {about} }})"));
    let cases = [
        ("key = 'x', options = {}", "`poll.open` needs `voters`"),
        (
            "key = 'x', options = { 'a', 'a' }, voters = { 'ann' }",
            "`poll.open` has the option \"a\" twice",
        ),
        (
            "key = 'x', options = { 'a' }, voters = { 'ann', 'ann' }",
            "`poll.open` has the voter ann twice",
        ),
        (
            "key = 'x', options = { 'a' }, voters = { 'nobody' }",
            "`poll.open` needs voters that are in the game, found \"nobody\"",
        ),
        (
            "key = 'x', options = { 'a' }, voters = { 'ann' }, ties = 'coin'",
            "`poll.open` needs `ties` as none, all, random or first, found \"coin\"",
        ),
        (
            "key = 'x', options = { 'a' }, voters = { 'ann' }, hammer = 0",
            "`poll.open` needs `hammer` as a number above 0 or \"majority\"",
        ),
        (
            "key = 'x', options = { 'a' }, voters = { 'ann' }, wieght = 'mood'",
            "`poll.open` has no option `wieght`",
        ),
    ];
    for (about, message) in cases {
        let finding = open(about);
        assert_eq!(
            (&*finding.code, finding.message.as_str()),
            ("script/argument", message)
        );
    }
    let finding = refusal_of_command_body("poll.list(act, 'open')");
    assert_eq!(
        finding.message,
        "argument 2 `filter` of `poll.list` expects a table, found a text"
    );
    let finding = refusal_of_command_body("poll.vote(act, 'poll#9', 'ann', 'x')");
    assert_eq!(finding.code, "script/no-poll");
    let other = refusal_of_command_body("poll.close(act, act:attach('ann', 'poll'))");
    assert_eq!(other.code, "script/no-poll", "a record of another owner");
}

#[test]
fn nobody_and_nothing_to_vote_for_are_reasons_and_one_key_is_open_once() {
    let body = "local function why(about) local id, reason = poll.open(act, about) return reason and reason.code or id end
      local a = why { key = 'tea', options = {}, voters = { 'ann' } }
      local b = why { key = 'tea', options = { 'x' }, voters = {} }
      local c = why { key = 'tea', options = { 'x' }, voters = { 'ann' } }
      local d = why { key = 'tea', options = { 'x' }, voters = { 'ann' } }
      local _, e = poll.forget(act, c)
      poll.close(act, c)
      local f = why { key = 'tea', options = { 'y' }, voters = { 'ann' } }
      return `{a} {b} {c} {d} {e.code} {f} {#poll.list(act)} {act:exists(c)}`";
    assert_eq!(
        text_of_command_body(&home_with_three_voters(), body),
        "poll/no-options poll/no-voters poll#1 poll/open-already poll/open poll#2 1 false"
    );
}

#[test]
fn a_game_has_two_hundred_polls_at_most() {
    let home = home_with_three_voters();
    home.command(
        "fill",
        "for n = 1, 200 do poll.open(act, { key = `k{n}`, options = { 'x' }, voters = { 'ann' } }) end",
    );
    home.command(
        "more",
        "return poll.open(act, { key = 'more', options = { 'x' }, voters = { 'ann' } })",
    );
    home.command(
        "free",
        "poll.close(act, poll.list(act)[1])\npoll.forget(act, poll.list(act)[1])",
    );
    let mut game = Game::of(&home);
    game.text("fill");
    assert_eq!(game.refusal("more").code, "limit/size");
    game.text("free");
    assert_eq!(game.text("more"), "poll#201");
}

#[test]
fn a_poll_outlives_its_command_and_undo_reopens_it() {
    let home = home_with_three_voters();
    home.command("open", &open_poll_and_vote("", "ann green"));
    home.command("shut", "return poll.close(act, poll.list(act)[1]).winner");
    let mut game = Game::of(&home);
    game.text("open");
    let open = game.hash();
    assert_eq!(game.text("shut"), "green");
    let closed = game.hash();
    game.undo();
    assert_eq!(game.hash(), open);
    game.redo();
    assert_eq!(game.hash(), closed);
}

/// Returns all text of a secret poll with these votes for a reader: open, closed, and its data.
fn text_seen_of_secret_poll(viewer: &Viewer, audience: &str, votes: [&str; 3]) -> String {
    let home = home_with_three_voters();
    let [ann, bo, cem] = votes;
    home.command(
        "go",
        &(open_poll_and_vote(
            "secret = true, weight = 'mood'",
            &format!("ann {ann} bo {bo} cem {cem}"),
        ) + &format!(
            "act:say('public', poll.show(act, id, {{ audience = '{audience}' }}))
                 poll.close(act, id)
                 act:say('public', poll.show(act, id, {{ audience = '{audience}' }}))"
        )),
    );
    home.edit("content/mini/people/ann.yaml", "mood: 4", "mood: 3");
    let mut game = Game::of(&home);
    let reply = game.line("go");
    assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
    let views = reply
        .documents
        .iter()
        .filter_map(|one| for_viewer(one, viewer));
    views
        .map(|view| format!("{}\n{:?}", plain(&view), view.data))
        .collect()
}

#[test]
fn a_secret_poll_names_its_voters_to_nobody_but_the_game_master() {
    let public = text_seen_of_secret_poll(&Viewer::Public, "public", ["green", "black", "black"]);
    assert!(
        public.contains("black wins") && !public.contains("Ann"),
        "{public}"
    );
    let gm = text_seen_of_secret_poll(&Viewer::Gm, "gm", ["green", "black", "black"]);
    assert!(gm.contains("Bo, Cem"), "{gm}");
}

#[test]
fn a_poll_may_show_only_how_many_voted_until_it_is_closed() {
    let body = open_poll_and_vote("secret = 'turnout'", "ann green bo green")
        + "act:say('public', poll.show(act, id))\npoll.close(act, id)\nact:say('public', poll.show(act, id))";
    let text = text_of_command_body(&home_with_three_voters(), &body);
    let (open, closed) = text.split_once("2 of 3 have voted").unwrap();
    assert!(!open.contains("green"), "{open}");
    assert!(closed.contains("green wins"), "{closed}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn swapped_secret_votes_change_no_byte_of_what_is_public(votes in prop::array::uniform3(0..3usize)) {
        let words = votes.map(|vote| ["green", "black", "white"][vote]);
        let [ann, bo, cem] = words;
        let one = text_seen_of_secret_poll(&Viewer::Public, "public", [ann, bo, cem]);
        let other = text_seen_of_secret_poll(&Viewer::Public, "public", [bo, cem, ann]);
        prop_assert_eq!(one, other);
    }
}

#[test]
fn a_poll_shows_until_when_it_is_open() {
    let body = open_poll_and_vote("deadline = act:clock().time + 60", "ann green")
        + "act:say('public', poll.show(act, id))\npoll.close(act, id)\nact:say('public', poll.show(act, id))";
    let home = home_with_three_voters();
    home.command("shown", &body);
    let mut game = Game::of(&home);
    let shown = game.text("shown");
    assert_eq!(shown.matches(", until 1m)").count(), 1, "{shown}");
    assert_eq!(shown.matches(", closed)").count(), 1, "{shown}");
}

/// Returns a game with two open polls; the weight of Bo in the first one is broken.
fn game_with_broken_poll_weight(settings: &str) -> Game {
    let home = home_with_three_voters();
    let open = open_poll_and_vote(
        &format!("weight = 'mood', {settings}"),
        "ann green bo black",
    )
        + "local other = poll.open(act, { key = 'cake', options = { 'plum' }, voters = { 'ann' } })
           poll.vote(act, other, 'ann', 'plum')
           act:set('bo', 'mood', 'no number')";
    home.command("open", &open);
    let mut game = Game::of(&home);
    game.text("open");
    game
}

/// Returns the answer to a line as one reader sees it.
fn text_read_by(game: &mut Game, by: &str, line: &str) -> String {
    let reply = game.solo.submit(by, line);
    assert!(reply.refusal.is_none(), "{by}: {:?}", reply.refusal);
    let viewer = game::viewer_of_seat(game.solo.timeline(), by);
    let seen = reply.documents.iter();
    let seen = seen.filter_map(|one| for_viewer(one, &viewer));
    seen.map(|one| plain(&one)).collect()
}

#[test]
fn a_poll_whose_votes_cannot_be_weighed_hides_no_other() {
    let mut game = game_with_broken_poll_weight("");
    let wrong = "a rule of the game fails here: the votes cannot be weighted";
    let why = "the mood of bo, which is the weight of a vote, is a text, not a number";
    for (by, is_told_why) in [("gm", true), ("Ann", false)] {
        let seen = text_read_by(&mut game, by, "polls");
        assert!(seen.contains("plum        1  Ann"), "{by}: {seen}");
        assert!(seen.contains(wrong), "{by}: {seen}");
        assert_eq!(seen.contains(why), is_told_why, "{by}: {seen}");
        let options = ["green       1  Ann", "black       1  Bo", "white       0"];
        let at = options.map(|option| seen.find(option).unwrap_or_else(|| panic!("{by}: {seen}")));
        assert!(at.is_sorted(), "no ranks without weights: {seen}");
    }
    assert_eq!(game.refusal("close tea").message, why);
}

#[test]
fn a_secret_poll_does_not_tell_whose_vote_cannot_be_weighed() {
    let mut game = game_with_broken_poll_weight("secret = 'turnout'");
    let seen = text_read_by(&mut game, "Ann", "polls");
    assert!(
        seen.contains("2 of 3 have voted") && !seen.contains("fails"),
        "{seen}"
    );
    let seen = text_read_by(&mut game, "gm", "polls");
    assert!(
        seen.contains("the mood of bo, which is the weight of a vote"),
        "{seen}"
    );
}

#[test]
fn a_closed_poll_is_shown_whatever_became_of_the_weights() {
    let body = open_poll_and_vote("weight = 'mood'", "ann green")
        + "poll.close(act, id)\nact:set('ann', 'mood', 'no number')\nact:say('public', poll.show(act, id))";
    let seen = text_of_command_body(&home_with_three_voters(), &body);
    assert!(
        seen.contains("green wins") && !seen.contains("fails"),
        "{seen}"
    );
}

#[test]
fn a_poll_closes_at_its_deadline_while_time_passes() {
    let home = home_with_three_voters();
    home.command(
        "open",
        &open_poll_and_vote("deadline = act:clock().time + 60", "ann green"),
    );
    home.command("pass", "act:pass_time(59)\nlocal id = poll.list(act)[1]\nlocal before = poll.get(act, id).closed
act:pass_time(1)\nreturn `{before} {poll.get(act, id).closed} {poll.get(act, id).winner} {poll.get(act, id).deadline}`");
    let mut game = Game::of(&home);
    game.text("open");
    assert_eq!(game.text("pass"), "false true green nil");
    let body = open_poll_and_vote("deadline = act:clock().time + 5", "ann green")
        + "poll.close(act, id)\nact:pass_time(10)\nreturn tostring(act:clock().time)";
    assert_eq!(
        text_of_command_body(&home, &body),
        "10",
        "a closed poll has no deadline"
    );
    let late = refusal_of_command_body(&open_poll_and_vote("deadline = act:clock().time", ""));
    assert_eq!(
        late.message,
        "the deadline of the poll \"tea\" must be a whole second later than now (0), found 0"
    );
}
