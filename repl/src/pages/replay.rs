//! The page of a replay: all phases below one another, and a script that shows them one by one.
//!
//! The policy of the page allows this script by its hash. A browser without scripts shows all phases.

use std::collections::BTreeSet;

use host::doc::gate_single_line;
use host::game::{Known, Replay, Scene, SubjectTally};
use host::words::{Hole, Words};
use maud::{Markup, html};

use super::block::Canvas;
use super::frame::{Extra, Frame, page_with_extra};
use super::story::{facts, member, passage_content, poll};

/// The script of the page and the style of its controls; a changed file needs its new hash.
const EXTRA: Extra = Extra {
    style: include_str!("replay.css"),
    style_hash: "OSwz2F6u7FsoFbCToA8j3BdkLEx0myfc4mYzbN0BbSw=",
    script: include_str!("replay.js"),
    script_hash: "TFyDwevDFTpiep0X0/ykEorKu9ErEWtfI3WbYdkOWUs=",
};

/// The buttons: the id that the script knows, and the key of the text.
const BUTTONS: [(&str, &str); 4] = [
    ("first", "replay.first"),
    ("previous", "replay.previous"),
    ("next", "replay.next"),
    ("last", "replay.last"),
];

/// Returns a replay as one page.
pub fn replay_page(replay: &Replay) -> String {
    // One canvas for all phases: the names of its regions are unique on the page.
    let words = &replay.words;
    let (canvas, mut lines) = (Canvas::below_heading(2, words), BTreeSet::new());
    let content = html! {
        nav aria-label=(words.text("replay.phases")) {
            details.contents open {
                summary { (words.text("replay.all_phases")) }
                ol { @for (at, scene) in replay.scenes.iter().enumerate() {
                    li { a href={ "#phase-" (at + 1) } { (scene.chapter.title) } }
                } }
            }
        }
        (controls(replay.scenes.len(), words))
        @for (at, scene) in replay.scenes.iter().enumerate() {
            (phase(scene, at + 1, &canvas, &mut lines))
        }
        (facts(&replay.facts, words))
    };
    let holes: [Hole<'_>; 2] = [("title", &replay.title), ("reader", &replay.reader)];
    let window = words.fill("replay.window", &holes);
    let lead = words.fill("replay.lead", &holes);
    let frame = Frame {
        title: &replay.title,
        window: &window,
        words,
        lead: &lead,
        links: &[],
    };
    page_with_extra(&frame, &content, Some(&EXTRA))
}

/// Returns the controls. They are hidden until the script runs.
fn controls(count: usize, words: &Words) -> Markup {
    // The script fills the holes itself.
    let holes: [Hole<'_>; 3] = [
        ("title", &"{title}"),
        ("at", &"{at}"),
        ("count", &"{count}"),
    ];
    let place = words.fill("replay.where", &holes);
    html! {
        div.steps #controls role="group" aria-label=(words.text("replay.steps")) hidden {
            ul { @for (id, key) in BUTTONS { li { button #(id) type="button" { (words.text(key)) } } } }
            input #range type="range" min="1" max=(count) value="1" step="1" aria-label=(words.text("replay.phase")) autocomplete="off";
            p #where role="status" data-text=(place) {}
        }
    }
}

fn phase(scene: &Scene, number: usize, canvas: &Canvas, lines: &mut BTreeSet<u64>) -> Markup {
    let words = canvas.words();
    html! {
        section.chapter.phase id={ "phase-" (number) } aria-labelledby={ "title-" (number) } {
            h2 id={ "title-" (number) } tabindex="-1" { (scene.chapter.title) }
            @for passage in &scene.chapter.passages { (passage_content(passage, canvas, lines)) }
            @if !scene.tallies.is_empty() {
                h3 { (words.text("replay.votes")) }
                @for one in &scene.tallies { (tally(one)) }
            }
            @match &scene.known {
                Some(known) => (known_at_end(known, canvas)),
                None => p.lead { (words.text("replay.changed")) },
            }
        }
    }
}

fn tally(tally: &SubjectTally) -> Markup {
    html! {
        h4 { (gate_single_line(&tally.subject)) }
        ul { @for (choice, voters) in &tally.choices {
            li { strong { (gate_single_line(choice)) } ": " (voters.len()) " (" (gate_single_line(&voters.join(", "))) ")" }
        } }
    }
}

fn known_at_end(known: &Known, canvas: &Canvas) -> Markup {
    let words = canvas.words();
    html! {
        @if !known.cast.is_empty() {
            h3 { (words.text("replay.cast")) }
            ul.cast { @for one in &known.cast { (member(one, canvas)) } }
        }
        @if let Some(board) = &known.board {
            h3 { (words.text("replay.board")) }
            (canvas.document(board))
        }
        @if !known.polls.is_empty() {
            h3 { (words.text("replay.polls")) }
            ul { @for one in &known.polls { (poll(one, words)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use host::doc::Document;
    use host::doc::build::paragraph;
    use host::game::{CastMember, Passage, StoryChapter, StoryEntry};

    use super::*;

    fn scene(number: u64, title: &str, known: Option<Known>) -> Scene {
        let entry = StoryEntry {
            number,
            seq: number,
            place: Some(0),
            messages: 1,
            document: Document::new([paragraph("</script><script>1</script>")]),
            holds: true,
            fate: String::new(),
        };
        Scene {
            chapter: StoryChapter {
                title: title.into(),
                passages: vec![Passage::Text(entry)],
                ..StoryChapter::default()
            },
            tallies: vec![SubjectTally {
                subject: "<i>Tea</i>".into(),
                choices: vec![("<b>Bo</b>".into(), vec!["Ann".into(), "\"Cy\"".into()])],
            }],
            known,
        }
    }

    #[test]
    fn a_phase_has_its_own_cast_and_hostile_texts_are_escaped() {
        let cast = vec![CastMember {
            name: "<img src=x>".into(),
            is_out: true,
            says: host::doc::Line::default(),
        }];
        let known = Known {
            cast,
            ..Known::default()
        };
        let replay = Replay {
            title: "Harbour".into(),
            reader: "everybody".into(),
            words: Words::english(),
            facts: Vec::new(),
            scenes: vec![
                scene(1, "Day 1", Some(known)),
                scene(2, "<u>Night 1</u>", None),
            ],
        };
        let text = replay_page(&replay);
        assert_eq!(text.matches("<script").count(), 1, "{text}");
        assert_eq!(text.matches("</script").count(), 1, "{text}");
        for part in [
            "<li class=\"out\"><strong>&lt;img src=x&gt;</strong><p>out</p></li>",
            "<h4>&lt;i&gt;Tea&lt;/i&gt;</h4>",
            "<strong>&lt;b&gt;Bo&lt;/b&gt;</strong>: 2 (Ann, &quot;Cy&quot;)",
            "<section class=\"chapter phase\" id=\"phase-2\" aria-labelledby=\"title-2\">",
            "&lt;u&gt;Night 1&lt;/u&gt;",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(
            text.matches("A later correction changed this phase")
                .count(),
            1
        );
        assert_eq!(text.matches("Cast at the end").count(), 1);
    }
}
