//! Pages of HTML about a game, by templates: the frame, the story, the replay, their blocks, its maps.
//!
//! Templates take data that is already reduced to what one reader may see. They reach neither files nor the network.

mod block;
mod frame;
mod grid;
mod replay;
mod story;
mod table;

pub use replay::replay_page;
pub use story::single_page;
pub(crate) use story::{INDEX, story_pages};
