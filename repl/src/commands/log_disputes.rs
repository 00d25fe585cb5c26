//! The command `log disputes`.

use host::doc::{Document, Viewer};
use host::game;
use host::game::{Reply, Timeline, disputes_table};
use host::words::Words;

/// Lists the disputes that the viewer may see, with their decisions.
pub(super) fn run(timeline: &Timeline, viewer: &Viewer) -> Reply {
    let all = game::disputes_for_viewer(timeline, viewer);
    if all.is_empty() {
        return Reply::line("there are no disputes");
    }
    let (rows, data) = disputes_table(&all, &Words::english());
    Reply::document(Document::new([rows.into()]).data(data))
}
