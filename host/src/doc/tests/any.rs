//! Strategies for arbitrary documents.

use proptest::prelude::*;

use crate::doc::build::{
    bar, bar_chart, blocks_for, code, fields, heading, item, paragraph, quote, rule_line, span,
};
use crate::doc::*;
use crate::value::Value;

/// Texts that occur only in parts with a limited audience.
pub(super) const SECRETS: [&str; 2] = ["SECRETONE", "SECOND much longer SECRETTWO"];

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c *|<\n-]{0,8}", "\\PC{0,6}", Just("Ann".to_owned())]
}

fn any_audience() -> impl Strategy<Value = Audience> {
    prop::sample::select(vec![
        Audience::Gm,
        Audience::Seat("Bo".into()),
        Audience::Group("red".into()),
    ])
}

fn any_secret() -> impl Strategy<Value = String> {
    prop::sample::select(SECRETS.map(str::to_owned).to_vec())
}

fn any_span(open: bool) -> BoxedStrategy<Span> {
    let style = || prop::sample::select(Style::ALL.to_vec());
    let secret = (style(), any_secret(), any_audience())
        .prop_map(|(style, text, audience)| span(style, text).for_audience(audience));
    let public = (style(), any_text()).prop_map(|(style, text)| span(style, text));
    if open {
        prop_oneof![3 => public, 1 => secret].boxed()
    } else {
        prop_oneof![
            public,
            (style(), any_secret()).prop_map(|(style, text)| span(style, text))
        ]
        .boxed()
    }
}

fn any_line(open: bool) -> impl Strategy<Value = Line> {
    prop::collection::vec(any_span(open), 0..4).prop_map(Line)
}

fn any_table(open: bool) -> impl Strategy<Value = Block> {
    let column = (any_line(open), prop::sample::select(Align::ALL.to_vec()));
    let column = column
        .prop_map(|(title, align)| Column {
            title,
            align,
            audience: None,
        })
        .boxed();
    let hidden = (any_line(false), any_audience());
    let hidden = hidden.prop_map(|(title, audience)| Column {
        title,
        audience: Some(audience),
        ..Column::default()
    });
    let row = (any_line(open), any_line(open), any_line(false));
    let rows = prop::collection::vec(row, 0..4);
    (column.clone(), column, hidden, rows, any_line(open)).prop_map(
        |(first, second, hidden, rows, caption)| {
            let cells = |(a, b, c)| vec![a, b, c];
            Block::Table(Table {
                caption,
                columns: vec![first, second, hidden],
                rows: rows.into_iter().map(cells).collect(),
            })
        },
    )
}

fn any_map() -> impl Strategy<Value = Block> {
    let cell = (any_text(), any_text(), any_text());
    let cell = cell.prop_map(|(mark, kind, label)| GridCell { mark, kind, label });
    let row = (any_text(), prop::collection::vec(cell, 0..3));
    let row = row.prop_map(|(label, cells)| GridRow { label, cells });
    let rows = prop::collection::vec(row, 0..3);
    let columns = prop::collection::vec(any_text(), 0..3);
    (any_text(), rows, columns, any_text()).prop_map(|(title, rows, columns, below)| {
        Block::Grid(GridMap {
            title,
            rows,
            columns,
            below,
        })
    })
}

fn any_leaf(open: bool) -> BoxedStrategy<Block> {
    let pairs = prop::collection::vec((any_line(open), any_line(open)), 0..3);
    let one_bar = (any_line(open), -3i64..9, any_line(open));
    let one_bar = one_bar.prop_map(|(label, value, text)| bar(label, value.into(), text));
    prop_oneof![
        (1u8..=6, any_line(open)).prop_map(|(level, text)| heading(level, text)),
        any_line(open).prop_map(paragraph),
        any_table(open),
        prop::collection::vec(one_bar, 0..4).prop_map(bar_chart),
        pairs.prop_map(fields),
        any_map(),
        (any_text(), any_text()).prop_map(|(language, text)| code(language, text)),
        Just(rule_line()),
    ]
    .boxed()
}

fn any_block(open: bool) -> BoxedStrategy<Block> {
    let leaf = if open {
        let inner = prop::collection::vec(any_leaf(false), 1..3);
        let secret =
            (any_audience(), inner).prop_map(|(audience, inner)| blocks_for(audience, inner));
        prop_oneof![4 => any_leaf(true), 1 => secret].boxed()
    } else {
        any_leaf(false)
    };
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let blocks = || prop::collection::vec(inner.clone(), 0..3);
        let items = (any_line(open), blocks()).prop_map(|(text, blocks)| item(text, blocks));
        let items = prop::collection::vec(items, 0..3);
        prop_oneof![
            blocks().prop_map(quote),
            (any::<bool>(), items).prop_map(|(ordered, items)| Block::List { ordered, items }),
        ]
    })
    .boxed()
}

prop_compose! {
    /// Any document. Parts with a limited audience contain only secrets, and no other part contains one.
    pub(super) fn any_document()(
        blocks in prop::collection::vec(any_block(true), 0..4),
        open in any_text(),
        secret in any_secret(),
        whose in any_audience(),
        kind in prop::sample::select(Kind::ALL.to_vec()),
        tally in prop::option::of((any_text(), any_text(), prop::option::of(any_text()))),
    ) -> Document {
        let key = format!("@{whose}");
        let data = [("open".to_owned(), Value::from(open)), (key, Value::from(secret))];
        let tally = tally.map(|(of, by, choice)| Tally { of, by, choice });
        Document { kind, tally, ..Document::new(blocks).data(Value::map(data)) }
    }
}
