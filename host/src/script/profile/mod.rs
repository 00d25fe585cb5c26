//! The profiler: where the processor time and the fuel of rules go, by rule, function and line.
//!
//! A timer sets a flag once a millisecond. At the next safe point, or at the next begin or end of a call of the host,
//! the thread reads its own processor time. The time since the last reading is charged to the present stack. So waiting
//! costs nothing, and short work gets its share of the samples. Without a profiler nothing of it is installed.

mod profile_costs;
mod sampler;
mod timer;

pub use profile_costs::{Cost, Profile, Work};
pub(crate) use sampler::Sampler;
pub use sampler::{Part, begin_named_host_work};
pub use timer::Profiler;
