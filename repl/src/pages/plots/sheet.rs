//! A plot as a file of its own, or inside of a page.

use maud::{Markup, PreEscaped, html};

use super::label::{clipped_text, xml_text};
use super::scale::coordinate;

/// The style of a file: a page has colours of its own.
const STYLE: &str = include_str!("plot.css");
/// The width of all plots, and the room that shapes have inside of it.
pub(super) const WIDTH: f64 = 720.0;
pub(super) const LEFT: f64 = 64.0;
pub(super) const RIGHT: f64 = WIDTH - 64.0;
/// The room of the heading of a plot.
pub(super) const HEAD: f64 = 32.0;
/// The room between two plots of a file.
const GAP: f64 = 16.0;

/// A plot.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    /// Its heading; may be empty.
    pub(super) title: String,
    /// Its numbers, for readers who do not see it.
    pub(super) description: String,
    pub(super) height: f64,
    /// What is drawn below the heading, from the height `HEAD`.
    pub(super) shapes: Markup,
}

impl Plot {
    /// Returns a name that is not empty.
    fn name(&self) -> String {
        match self.title.trim() {
            "" => "Chart".to_owned(),
            title => xml_text(title),
        }
    }

    fn drawing(&self) -> Markup {
        html! {
            text.name x="12" y="20" { (clipped_text(&self.title, WIDTH - 24.0)) }
            (self.shapes)
        }
    }
}

/// Returns plots as an SVG file that stands alone, one below the other.
pub(crate) fn plot_file(title: &str, plots: &[Plot]) -> String {
    let title = xml_text(title);
    let description = plots
        .iter()
        .map(|plot| format!("{}: {}", plot.name(), xml_text(&plot.description)));
    let description: Vec<String> = description.collect();
    let top = if title.is_empty() { 0.0 } else { HEAD };
    let mut below = top;
    let places: Vec<f64> = plots
        .iter()
        .map(|plot| {
            let place = below;
            below += plot.height + GAP;
            place
        })
        .collect();
    let size = format!("0 0 {} {}", coordinate(WIDTH), coordinate(below));
    let file = html! {
        svg.plot xmlns="http://www.w3.org/2000/svg" viewBox=(size) width=(coordinate(WIDTH)) height=(coordinate(below))
            role="img" {
            title { @if title.is_empty() { "Chart" } @else { (title) } }
            desc { (description.join(". ")) }
            style { (PreEscaped(STYLE)) }
            rect.back width="100%" height="100%" {}
            @if !title.is_empty() {
                text.heading x="12" y="24" { (clipped_text(&title, (WIDTH - 24.0) * 0.8)) }
            }
            @for (plot, place) in plots.iter().zip(places) {
                g transform={ "translate(0 " (coordinate(place)) ")" } { (plot.drawing()) }
            }
        }
    };
    file.into_string() + "\n"
}

/// Returns a plot for a page, which has the style.
pub(in crate::pages) fn embedded_plot(plot: &Plot) -> Markup {
    let size = format!("0 0 {} {}", coordinate(WIDTH), coordinate(plot.height));
    html! {
        svg.plot viewBox=(size) width=(coordinate(WIDTH)) height=(coordinate(plot.height)) role="img" {
            title { (plot.name()) }
            desc { (xml_text(&plot.description)) }
            (plot.drawing())
        }
    }
}
