//! Pages of HTML about a game, by templates: the frame, the story, the replay, their blocks, maps and plots.
//!
//! Templates take data that is already reduced to what one reader may see. They reach neither files nor the network.

mod block;
mod chart;
mod frame;
mod grid;
mod plots;
mod replay;
mod story;
mod table;

pub(crate) use chart::plots_of_documents;
pub(crate) use plots::{Lengths, Plot, Rate, lengths_plot, plot_file, rates_plot};
pub use replay::replay_page;
pub use story::single_page;
pub(crate) use story::{INDEX, lead, story_pages};
