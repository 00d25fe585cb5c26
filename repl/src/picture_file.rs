//! Draws pictures into files: the charts of an answer, and the results of a simulation.
//!
//! Files are written by the rules of exports: complete or not at all, and never over a file of somebody else.

use std::path::Path;

use host::diag::Diagnostic;
use host::doc::build::paragraph;
use host::doc::{Audience, Document, Viewer, for_viewer};
use host::game::{Reply, SimulationResult};

use crate::export;
use crate::pages::{self, Lengths, Plot, Rate};
use crate::typed_path;

/// The ending of the name of a picture.
const ENDING: &str = "svg";

/// Draws the charts of a reply into a typed place. The reply then also says so; if that fails, it is a refusal.
pub(crate) fn draw_charts_of_reply(mut reply: Reply, title: &str, said: &str) -> Reply {
    match write_charts(&reply, title, said) {
        Ok(told) => {
            let told = Document::new([paragraph(told)]).limit_to_audience(Audience::Gm);
            reply.aside.push(told);
            reply
        }
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Errors: the answer has no chart; the place cannot be used.
fn write_charts(reply: &Reply, title: &str, said: &str) -> Result<String, Box<Diagnostic>> {
    let seen = reply.documents_by_operation();
    let seen: Vec<Document> = seen
        .filter_map(|(_, document)| for_viewer(&document, &Viewer::Gm))
        .collect();
    let plots = pages::plots_of_documents(&seen);
    if plots.is_empty() {
        let message = format!("the answer to `{title}` has no chart, so there is nothing to draw");
        let finding = Diagnostic::error("picture/no-chart", message);
        return Err(Box::new(
            finding.hint("leave out the file to see the answer"),
        ));
    }
    let (place, anyway) = match said.trim_end().strip_suffix(" anyway") {
        Some(place) => (place, true),
        None => (said, false),
    };
    let file = typed_path::expanded_path(place);
    export::write_export_file(&file, &pages::plot_file(title, &plots), anyway)
}

/// Refuses a file that cannot become a picture, before games are played for it.
///
/// Errors: its ending is another one; its path is wrong; the file is not ours.
pub(crate) fn check_picture_file(file: &Path, anyway: bool) -> Result<(), Box<Diagnostic>> {
    let ending = file.extension().unwrap_or_default();
    if !ending.eq_ignore_ascii_case(ENDING) {
        let shown = file.display();
        let message = format!("charts are only drawn as SVG, and the ending of {shown} is not svg");
        let finding = Diagnostic::error("picture/ending", message);
        let named = file.with_extension(ENDING);
        return Err(Box::new(
            finding.hint(format!("write --plot {}", named.display())),
        ));
    }
    export::check_file_is_ours(file, anyway)
}

/// Draws the results of a simulation into a file. Errors: it cannot be written.
pub(crate) fn draw_simulation(
    gathered: &SimulationResult,
    file: &Path,
    anyway: bool,
) -> Result<String, Box<Diagnostic>> {
    let games = match gathered.tally.games {
        1 => "1 game".to_owned(),
        more => format!("{more} games"),
    };
    let title = format!("{}: {games}", gathered.setup);
    export::write_export_file(
        file,
        &pages::plot_file(&title, &plots_of_simulation(gathered)),
        anyway,
    )
}

fn plots_of_simulation(gathered: &SimulationResult) -> Vec<Plot> {
    let rates = gathered.win_rates().into_iter().map(|one| Rate {
        name: one.name,
        rate: one.rate,
        low: one.low,
        high: one.high,
    });
    let rates: Vec<Rate> = rates.collect();
    let lengths = gathered.game_lengths().into_iter().map(|one| {
        pages::lengths_plot(&Lengths {
            name: one.name,
            values: one.values,
            mean: one.mean,
            median: one.median,
        })
    });
    let winners = pages::rates_plot("winners, with 95 % intervals", &rates);
    [winners].into_iter().chain(lengths).collect()
}
