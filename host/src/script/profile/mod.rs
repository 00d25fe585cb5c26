//! The profiler: where the processor time and the fuel of rules go, by rule, function and line.
//!
//! A timer sets a flag once a millisecond. At the next safe point, call of the host or end of one, the thread reads its own
//! processor time, and what has passed since the last reading is that of the stack at this place. So what waits costs
//! nothing, and what is short is met as often as it takes its share. Without a profiler nothing of it is installed.

mod profile_costs;
mod sampler;
mod timer;

pub use profile_costs::{Cost, Profile, Work};
pub(crate) use sampler::Sampler;
pub use sampler::{Part, begin_host_part};
pub use timer::Profiler;
