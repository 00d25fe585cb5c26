//! Charts of documents as plots, each with its numbers as a table beside it.

use host::doc::node::{Chart as ChartNode, Node, document_nodes};
use host::doc::{Document, Row};
use host::words::{Hole, Words};
use maud::{Markup, html};

use super::block::{Canvas, row};
use super::plots::{Bar, Chart, Plot, embedded_plot, plots_of_charts};

/// Returns the plots of all charts in documents.
pub(crate) fn plots_of_documents(documents: &[Document]) -> Vec<Plot> {
    let mut charts = Vec::new();
    for document in documents {
        collect_charts(&document_nodes(document), &mut charts);
    }
    plots_of_charts(&charts)
}

fn collect_charts<'a>(nodes: impl IntoIterator<Item = &'a Node>, charts: &mut Vec<Chart>) {
    for node in nodes {
        match node {
            Node::Chart(chart) => charts.push(plain_chart(chart)),
            Node::Quote { nodes, .. } => collect_charts(nodes, charts),
            Node::List { items, .. } => {
                for item in items {
                    collect_charts(item, charts);
                }
            }
            Node::Heading { .. }
            | Node::Paragraph(_)
            | Node::Table(_)
            | Node::Code { .. }
            | Node::Fields(_)
            | Node::Rule => {}
        }
    }
}

fn plain_chart(chart: &ChartNode) -> Chart {
    let bars = chart.bars.iter().map(|bar| Bar {
        label: plain_row(&bar.label),
        value: bar.value,
        text: plain_row(&bar.text),
    });
    Chart {
        caption: plain_row(&chart.caption),
        bars: bars.collect(),
    }
}

fn plain_row(row: &Row) -> String {
    row.iter().map(|piece| piece.text.as_str()).collect()
}

/// Returns a chart as its plot and its numbers.
pub(super) fn figure(canvas: &Canvas, chart: &ChartNode) -> Markup {
    let plain = plain_chart(chart);
    let number = canvas.next_region();
    let words = canvas.words();
    let name = match plain.caption.is_empty() {
        true => words.fill("chart.name", &[("number", &number)]),
        false => {
            let holes: [Hole<'_>; 2] = [("number", &number), ("caption", &plain.caption)];
            words.fill("chart.caption", &holes)
        }
    };
    html! {
        figure.chart {
            div.region role="region" tabindex="0" aria-label=(name) {
                @for plot in plots_of_charts(&[plain]) { (embedded_plot(&plot)) }
            }
            details { summary { (words.text("chart.as_table")) } (numbers(chart, number, words)) }
        }
    }
}

fn numbers(chart: &ChartNode, number: usize, words: &Words) -> Markup {
    let name = words.fill("chart.numbers", &[("number", &number)]);
    html! {
        div.region role="region" tabindex="0" aria-label=(name) {
            table {
                @if !chart.caption.is_empty() { caption { (row(&chart.caption)) } }
                tbody {
                    @for bar in &chart.bars {
                        tr {
                            @if bar.label.is_empty() { td {} } @else { th scope="row" { (row(&bar.label)) } }
                            td.right { (row(&bar.text)) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use host::doc::build::{bar, bar_chart, paragraph};

    use super::*;

    #[test]
    fn a_chart_is_a_plot_with_its_numbers_beside_it() {
        let chart = bar_chart([bar("<one>", 1.into(), "25 %"), bar("two", 2.into(), "50 %")]);
        let text = Canvas::below_heading(2, &Words::english())
            .document(&Document::new([chart]))
            .into_string();
        for part in [
            "aria-label=\"Chart 1\"",
            "<desc>&lt;one&gt;: 25 %; two: 50 %</desc>",
            "<th scope=\"row\">&lt;one&gt;</th><td class=\"right\">25 %</td>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(text.matches("<rect class=\"bar\"").count(), 2, "{text}");
    }

    #[test]
    fn charts_inside_of_other_blocks_are_found() {
        let chart = bar_chart([bar("one", 1.into(), "")]);
        let quoted = host::doc::Block::Quote(vec![paragraph("x"), chart.clone()]);
        let documents = [Document::new([quoted]), Document::new([chart])];
        assert_eq!(plots_of_documents(&documents).len(), 2);
        assert!(plots_of_documents(&[Document::new([paragraph("x")])]).is_empty());
    }
}
