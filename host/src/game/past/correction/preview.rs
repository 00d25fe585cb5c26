//! Reports a correction to the game master: the outcome of each ruling and the difference in the end.

use crate::diag::Diagnostic;
use crate::doc::build::{item, list, paragraph, right_column, table};
use crate::doc::{Audience, Block, Document, Item};
use crate::game::answers_and_deadline_in_words;
use crate::game::past::changes_in_words::{CreationWords, changes_with_creation_words};
use crate::game::past::correction::announcements::RulingAnnouncement;
use crate::game::past::correction::extra_inputs::{correction_command_line, details_command_line};
use crate::game::past::correction::manner::note_of_manner;
use crate::game::past::correction::outcome::{
    AskingCorrection, RerunOutcome, Step, TriedCorrection,
};
use crate::game::past::correction::phase::Phase;
use crate::game::past::correction::report_sentences::Sentences;
use crate::game::question::permission::is_permission_refusal;
use crate::game::ruling::input_source::{HandDie, WaitingQuestion};
use crate::game::ruling::ruling_context::Manner;
use crate::game::ruling::waiting_ruling::Waiting;
use crate::game::ruling::{typed_dice, waiting_ruling};
use crate::game::timeline::Timeline;
use crate::script::{GM, Question};
use crate::store::{Change, What};
use crate::value::Value;

/// Largest number of rulings that are all listed. Of more rulings, only the changed ones are listed.
const LISTED: usize = 20;
/// Largest number of listed rulings and differences; the others are counted.
const MOST: usize = 100;
/// Largest number of differences that are shown for one ruling.
const CELLS: usize = 6;

/// Level of detail of a correction report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PreviewDetail {
    /// The words of the game, and the number of cells that would be different.
    Words,
    /// The same, and these cells.
    Cells,
}

impl PreviewDetail {
    /// Returns the level of detail of the report about a correction that was done in this manner.
    fn shown_in_manner(manner: Manner) -> PreviewDetail {
        match manner {
            Manner::Rows => PreviewDetail::Cells,
            Manner::Asked | Manner::Lines | Manner::Standing | Manner::Plain | Manner::LogLines => {
                PreviewDetail::Words
            }
        }
    }
}

/// Shows the effects of a correction, and the command that carries it out with the given answers.
pub(super) fn correction_preview(
    timeline: &Timeline,
    tried: &TriedCorrection,
    (answers, has_previewed, shown): (&[String], bool, PreviewDetail),
) -> Document {
    let of = format!("`{}`", details_command_line(&tried.what, answers));
    let mut blocks = blocks_when_tried(timeline, tried, (None, Manner::default()), (shown, &of));
    for said in &tried.said {
        blocks.extend(said.blocks.iter().cloned());
    }
    blocks.extend(preview_dice_note(has_previewed));
    let line = correction_command_line(&tried.what, " yes", answers);
    blocks.push(paragraph(format!(
        "Nothing was changed. To do it, type `{line}`."
    )));
    let data = preview_data(
        timeline,
        &tried.what,
        &tried.steps,
        (&tried.said_again, Manner::default()),
    );
    Document::new(blocks)
        .limit_to_audience(Audience::Gm)
        .data(data)
}

/// Shows how far a correction would come without an answer, the questions with the people asked, and the command that
/// answers directly.
pub(super) fn preview_until_question(
    timeline: &Timeline,
    asking: &AskingCorrection,
    (answers, has_previewed, shown): (&[String], bool, PreviewDetail),
) -> Document {
    let mut blocks = blocks_while_asking(timeline, asking, (shown, Manner::default()));
    blocks.extend(preview_dice_note(has_previewed));
    let missing = asking.open.iter().filter(|open| open.answer.is_none());
    let texts = missing.map(|_| "TEXT".to_owned());
    let all: Vec<String> = answers.iter().cloned().chain(texts).collect();
    let asks = correction_command_line(&asking.what, " yes", answers);
    let (done, shown) = (
        correction_command_line(&asking.what, " yes", &all),
        correction_command_line(&asking.what, "", &all),
    );
    blocks.push(paragraph(format!(
        "Nothing was changed. `{asks}` asks the question and waits for the answer."
    )));
    blocks.push(paragraph(format!(
        "`{done}` answers it directly; `{shown}` shows the result with the answer."
    )));
    let data = preview_data(
        timeline,
        &asking.what,
        &asking.steps,
        (&[], Manner::default()),
    );
    Document::new(blocks)
        .limit_to_audience(Audience::Gm)
        .data(data)
}

/// Reports how far a correction came that waits now.
pub(super) fn waiting_correction_report(
    timeline: &Timeline,
    asking: &AskingCorrection,
    manner: Manner,
) -> Document {
    let blocks = blocks_while_asking(
        timeline,
        asking,
        (PreviewDetail::shown_in_manner(manner), manner),
    );
    let data = preview_data(timeline, &asking.what, &asking.steps, (&[], manner));
    Document::new(blocks)
        .limit_to_audience(Audience::Gm)
        .data(data)
}

/// Reports the effects of a correction. A correction that waited is not listed as waiting.
pub(super) fn correction_report(
    timeline: &Timeline,
    tried: &TriedCorrection,
    (waited, manner): (Option<u64>, Manner),
) -> Document {
    let shown = (PreviewDetail::shown_in_manner(manner), "`why` of this line");
    let blocks = blocks_when_tried(timeline, tried, (waited, manner), shown);
    let data = preview_data(
        timeline,
        &tried.what,
        &tried.steps,
        (&tried.said_again, manner),
    );
    Document::new(blocks)
        .limit_to_audience(Audience::Gm)
        .data(data)
}

fn blocks_while_asking(
    timeline: &Timeline,
    asking: &AskingCorrection,
    (shown, manner): (PreviewDetail, Manner),
) -> Vec<Block> {
    let sentences = Sentences::of_manner(manner);
    let mut blocks = vec![paragraph(corrected_line_sentence(timeline, &asking.what))];
    blocks.extend(rulings_table(timeline, &asking.steps, (shown, sentences)));
    blocks.extend(missing_rules_note(&asking.steps, sentences));
    blocks.push(paragraph(sentences.result_awaits_answer(asking.behind)));
    blocks
}

fn blocks_when_tried(
    timeline: &Timeline,
    tried: &TriedCorrection,
    (waited, manner): (Option<u64>, Manner),
    (shown, details): (PreviewDetail, &str),
) -> Vec<Block> {
    let sentences = Sentences::of_manner(manner);
    let mut blocks = vec![paragraph(corrected_line_sentence(timeline, &tried.what))];
    blocks.extend(rulings_table(timeline, &tried.steps, (shown, sentences)));
    if !tried.words.is_empty() {
        let words = tried.words.iter().map(|words| item(words.as_str(), []));
        blocks.push(paragraph("What changes:"));
        blocks.push(list(words));
    }
    blocks.extend(missing_rules_note(&tried.steps, sentences));
    blocks.extend(typed_dice_note(
        &tried.hand,
        &typed_dice::typed_dice_not_yet_used(&timeline.state),
        sentences,
    ));
    let mut now = waiting_ruling::waiting_rulings(&timeline.state);
    now.retain(|one| Some(one.ruling_number) != waited);
    blocks.extend(waiting_changes(timeline, &tried.waiting, &now, sentences));
    let changes: Vec<&Change> = tried.changes.iter().collect();
    let words = sentences.creation_words();
    let mut items = changes_with_creation_words(&changes, &timeline.state, words);
    if items.is_empty() {
        blocks.push(paragraph(sentences.nothing_differs()));
    } else if shown == PreviewDetail::Words {
        blocks.push(paragraph(sentences.values_differ(items.len(), details)));
    } else {
        let more = items.len().saturating_sub(MOST);
        items.truncate(MOST);
        if more > 0 {
            items.push(item(format!("and {more} more"), []));
        }
        blocks.push(paragraph(sentences.values_title()));
        blocks.push(list(items));
    }
    blocks
}

fn corrected_line_sentence(timeline: &Timeline, what: &What) -> String {
    let of = what.corrected_number().unwrap_or_default();
    let operation = timeline.history.operation(of);
    let command = operation.map(|one| one.command.to_string());
    let by = operation.map(|one| one.by.to_string()).unwrap_or_default();
    let named = format!("{of} `{}` by {by}", command.unwrap_or_default());
    match what {
        What::Replace { with, .. } => format!("In place of {named}: `{with}`."),
        _ => format!("Left out: {named}."),
    }
}

/// Adds a hint to a refusal by the rules: the name of the player that gives the replacement. A player may do less than
/// the game master.
pub(super) fn add_giver_hint(
    timeline: &Timeline,
    of: u64,
    refusal: Box<Diagnostic>,
) -> Box<Diagnostic> {
    let area = refusal.code.split_once('/').map(|(area, _)| area);
    let is_of_rules = area.is_none_or(|area| *area == *timeline.game.ruleset);
    let is_theirs = is_of_rules || is_permission_refusal(&refusal);
    let by = timeline.history.operation(of).map(|one| &*one.by);
    match by.filter(|by| *by != GM && is_theirs) {
        Some(by) => Box::new(refusal.hint(format!(
            "the new command would be given by {by}, who gave log line {of}; or type `revert {of}` and give your own \
             command"
        ))),
        None => refusal,
    }
}

/// Lists the rulings that run again.
fn rulings_table(
    timeline: &Timeline,
    steps: &[Step],
    (shown, sentences): (PreviewDetail, Sentences),
) -> Vec<Block> {
    if steps.is_empty() {
        return vec![paragraph(sentences.no_later_ruling())];
    }
    let is_short = steps.len() <= LISTED;
    let other: Vec<&Step> = steps
        .iter()
        .filter(|step| is_short || step.became != RerunOutcome::Same)
        .collect();
    let mut rows = table([right_column("no.")]);
    for title in ["who", "command", "ruled again"] {
        rows.columns.push(title.into());
    }
    for step in other.iter().take(MOST) {
        let number = step.seq.to_string();
        let (by, command) = (step.by.clone(), step.command.clone());
        rows = rows.row([
            number,
            by,
            command,
            outcome_text(timeline, &step.became, (shown, sentences.creation_words())),
        ]);
    }
    let left_out = steps.len() - other.len().min(MOST);
    let more = other.len().saturating_sub(MOST);
    let mut blocks: Vec<Block> = Vec::new();
    if !other.is_empty() {
        blocks.push(rows.into());
    }
    if more > 0 {
        blocks.push(paragraph(format!("{more} more are not the same.")));
    }
    let same = left_out - more;
    if same > 0 {
        let verb = if same == 1 { "is" } else { "are" };
        blocks.push(paragraph(format!("{same} {verb} the same.")));
    }
    blocks
}

/// Returns a text with the open questions and the people asked.
fn asked_questions_text(timeline: &Timeline, open: &[WaitingQuestion]) -> String {
    let times = timeline.state.times();
    let missing = open.iter().filter(|open| open.answer.is_none());
    let asked = missing.map(|open| {
        let Question { to, text, .. } = &open.question;
        format!(
            "asks {to}: {text} ({})",
            answers_and_deadline_in_words(&open.question, times)
        )
    });
    asked.collect::<Vec<String>>().join("; ")
}

fn outcome_text(
    timeline: &Timeline,
    became: &RerunOutcome,
    (shown, words): (PreviewDetail, CreationWords),
) -> String {
    match became {
        RerunOutcome::Same => "same".to_owned(),
        RerunOutcome::Refused(refusal) => {
            format!("refused: {} ({})", refusal.message, refusal.code)
        }
        RerunOutcome::Asks(open) => asked_questions_text(timeline, open),
        RerunOutcome::Changed(_) if shown == PreviewDetail::Words => "changed".to_owned(),
        RerunOutcome::Changed(cells) => {
            let cells: Vec<&Change> = cells.iter().collect();
            let items = changes_with_creation_words(&cells, &timeline.state, words);
            let texts: Vec<String> = items.iter().take(CELLS).map(item_text).collect();
            let more = items.len().saturating_sub(CELLS);
            match (texts.is_empty(), more) {
                (true, _) => "changed".to_owned(),
                (_, 0) => format!("changed: {}", texts.join(", ")),
                (_, more) => format!("changed: {} and {more} more", texts.join(", ")),
            }
        }
    }
}

/// Returns a note if the preview shows dice that are not rolled yet.
fn preview_dice_note(has_previewed: bool) -> Option<Block> {
    let text = "Some dice here are only a preview. With `yes`, other dice are rolled.";
    has_previewed.then(|| paragraph(text))
}

/// Returns a note with the number of rulings with missing rules.
fn missing_rules_note(steps: &[Step], sentences: Sentences) -> Option<Block> {
    let missing = steps.iter().filter(|step| step.is_under_others).count();
    (missing > 0).then(|| paragraph(sentences.rules_missing(missing)))
}

/// Returns a note about the typed dice that wait after the correction, if they are different.
fn typed_dice_note(then: &[HandDie], now: &[HandDie], sentences: Sentences) -> Option<Block> {
    let dice: Vec<String> = then.iter().map(HandDie::to_string).collect();
    (then != now).then(|| paragraph(sentences.typed_dice(&dice.join(" "))))
}

/// Returns notes about rulings that wait only after the correction or then ask something else, and about rulings that
/// no longer wait.
fn waiting_changes(
    timeline: &Timeline,
    then: &[Waiting],
    now: &[Waiting],
    sentences: Sentences,
) -> Vec<Block> {
    let asks = |one: &Waiting| -> Vec<String> {
        let open = one.open.iter().map(|open| open.address.clone());
        open.collect()
    };
    let is_in = |one: &Waiting, others: &[Waiting]| {
        let same =
            |other: &Waiting| other.ruling_number == one.ruling_number && asks(other) == asks(one);
        others.iter().any(same)
    };
    let named = |one: &Waiting| {
        let number = sentences.number_of_ruling(timeline, one.ruling_number);
        format!("{number} `{}`", one.command)
    };
    let new = then.iter().filter(|one| !is_in(one, now));
    let gone = now.iter().filter(|one| !is_in(one, then));
    let new = new.map(|one| sentences.ruling_waits(&named(one)));
    let gone = gone.map(|one| sentences.ruling_no_longer_waits(&named(one)));
    new.chain(gone).map(paragraph).collect()
}

fn item_text(item: &Item) -> String {
    let spans = item.line.0.iter();
    spans.map(|span| span.text.as_str()).collect()
}

fn preview_data(
    timeline: &Timeline,
    what: &What,
    steps: &[Step],
    (said_again, manner): (&[RulingAnnouncement], Manner),
) -> Value {
    let number = |seq: u64| Value::from(i64::try_from(seq).unwrap_or(i64::MAX));
    let steps = steps.iter().map(|step| {
        let became = match step.became {
            RerunOutcome::Same => "same",
            RerunOutcome::Changed(_) => "changed",
            RerunOutcome::Refused(_) => "refused",
            RerunOutcome::Asks(_) => "asks",
        };
        let known = [
            ("op", number(step.seq)),
            ("command", step.command.as_str().into()),
            ("became", became.into()),
        ];
        let phase = (manner >= Manner::Standing).then_some(step.phase.as_ref());
        Value::map(
            known
                .into_iter()
                .chain(phase.flatten().map(Phase::to_noted_entry)),
        )
    });
    let of = what.corrected_number().map_or(Value::Nil, number);
    let words = timeline.words();
    let told_again = said_again.iter().map(|one| one.to_value(manner, &words));
    let told_again: Vec<Value> = told_again.collect();
    let told_again = (!told_again.is_empty()).then(|| ("told_again", Value::list(told_again)));
    let parts = [("of", of), ("rulings", Value::list(steps))];
    Value::map(
        parts
            .into_iter()
            .chain(told_again)
            .chain(note_of_manner(manner)),
    )
}
