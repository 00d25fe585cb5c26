//! This module is one ruling: where its inputs come from, which faces and answers it draws, and how its course goes.

pub(super) mod course;
pub(super) mod files;
pub(super) mod given;
pub(super) mod input;
pub(super) mod oracle;
pub(super) mod policy;
pub(super) mod salts;
pub(super) mod seed;
pub(super) mod stream;
pub(super) mod typed_dice;
