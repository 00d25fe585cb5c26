//! The scripts of one generation as they are written.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diag::Source;

/// The sources of one generation by chunk name.
pub(crate) type Sources = BTreeMap<String, Arc<Source>>;
