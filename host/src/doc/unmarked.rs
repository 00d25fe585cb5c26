//! Takes the marks of an audience out of a document, for a text that only this audience reads.

use super::log_line::for_each_line;
use super::{Audience, Block, Document, Item};

impl Document {
    /// Returns the document without the marks of an audience: its blocks and spans are for everybody then.
    #[must_use]
    pub fn without_marks_of(mut self, audience: &Audience) -> Document {
        if self.audience == *audience {
            self.audience = Audience::Public;
        }
        self.blocks = unmarked_blocks(self.blocks, audience);
        for_each_line(&mut self.blocks, &mut |line| {
            for span in &mut line.0 {
                span.audience.take_if(|one| *one == *audience);
            }
        });
        self
    }
}

fn unmarked_blocks(blocks: Vec<Block>, audience: &Audience) -> Vec<Block> {
    let blocks = blocks.into_iter();
    blocks
        .flat_map(|block| unmarked_block(block, audience))
        .collect()
}

fn unmarked_block(block: Block, audience: &Audience) -> Vec<Block> {
    match block {
        Block::For {
            audience: of,
            blocks,
        } if of == *audience => unmarked_blocks(blocks, audience),
        Block::For {
            audience: of,
            blocks,
        } => vec![Block::For {
            audience: of,
            blocks: unmarked_blocks(blocks, audience),
        }],
        Block::Quote(blocks) => vec![Block::Quote(unmarked_blocks(blocks, audience))],
        Block::List { ordered, items } => {
            let items = items.into_iter().map(|item| Item {
                line: item.line,
                blocks: unmarked_blocks(item.blocks, audience),
            });
            let items = items.collect();
            vec![Block::List { ordered, items }]
        }
        Block::Heading { .. }
        | Block::Paragraph(_)
        | Block::Table(_)
        | Block::Bars(_)
        | Block::Grid(_)
        | Block::Code { .. }
        | Block::Fields(_)
        | Block::Rule => vec![block],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::build::{blocks_for, item, line, list, paragraph, quote, text};
    use crate::doc::plain;

    #[test]
    fn the_marks_of_one_audience_go_and_those_of_others_stay() {
        let red = Audience::Group("red".to_owned());
        let of_red = |said: &str| blocks_for(red.clone(), [paragraph(said)]);
        let document = Document::new([
            of_red("We meet."),
            quote([of_red("We met.")]),
            list([item("Places", [of_red("The mill.")])]),
            paragraph(line([text("All: "), text("us").for_audience(red.clone())])),
            blocks_for(Audience::Gm, [of_red("They meet.")]),
        ]);
        assert_eq!(plain(&document).matches("group:red").count(), 5);
        let shown = plain(&document.without_marks_of(&red));
        assert!(!shown.contains("group:red"), "{shown}");
        assert!(
            shown.contains("[gm] They meet.") && shown.contains("All: us"),
            "{shown}"
        );
    }
}
