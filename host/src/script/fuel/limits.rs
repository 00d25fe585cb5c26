//! The table of the limits for scripts, with the defaults that the host promises.

use std::fmt;
use std::time::Duration;

/// The limits of one virtual machine and one command.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Fuel of one call from the host into a script. The unit is a safe point of the VM, about 25 nanoseconds. Calls of
    /// the host take units in proportion to their time.
    pub fuel_callback: u64,
    /// Fuel of one command.
    pub fuel_command: u64,
    /// Processor time of the game's thread in one call from the host into a script. Without it, only fuel is limited.
    pub time_callback: Option<Duration>,
    /// Processor time of the game's thread in one command.
    pub time_command: Option<Duration>,
    /// Memory of one VM in bytes.
    pub memory: usize,
    /// Calls from the host into scripts that may be open at once.
    pub depth: u32,
    /// Handlers that one command may run.
    pub firings: u32,
    /// Events inside each other.
    pub event_depth: usize,
    /// Size of one source file in bytes.
    pub source: usize,
}

/// Steps of an expression for one unit of fuel.
pub(crate) const STEPS: usize = 2;

/// Processor time of one call from the host into a script.
pub(crate) const CALL_TIME: Duration = Duration::from_millis(250);

/// Processor time of one command.
pub(crate) const COMMAND_TIME: Duration = Duration::from_secs(1);

/// Debug builds run scripts about ten times slower. Their clock runs ten times longer.
const CLOCK_FACTOR: u32 = if cfg!(debug_assertions) { 10 } else { 1 };

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            fuel_callback: 2_000_000,
            fuel_command: 10_000_000,
            time_callback: Some(CALL_TIME * CLOCK_FACTOR),
            time_command: Some(COMMAND_TIME * CLOCK_FACTOR),
            memory: 64 << 20,
            depth: 150,
            firings: 10_000,
            event_depth: 64,
            source: 256 << 10,
        }
    }
}

impl Limits {
    /// Returns the limits of a replay: the clock is off, fuel decides, memory is doubled.
    pub fn for_replay(&self) -> Limits {
        Limits {
            time_callback: None,
            time_command: None,
            memory: self.memory * 2,
            ..self.clone()
        }
    }
}

/// The limit that ended a command. The first passed limit stays until the command is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Too much fuel.
    Fuel,
    /// Too much processor time.
    Time,
    /// Too much memory in the VM.
    Memory,
    /// Calls from the host into scripts nest too deep.
    Depth,
    /// A person interrupted the script.
    Interrupted,
    /// Not a limit: the ruling waits for an answer, and unwinds as if a limit were passed.
    Waits,
}

impl Limit {
    /// Returns the code of the refusal.
    pub fn code(self) -> &'static str {
        match self {
            Limit::Fuel => "limit/fuel",
            Limit::Time => "limit/time",
            Limit::Memory => "limit/memory",
            Limit::Depth => "limit/depth",
            Limit::Interrupted => "limit/interrupted",
            Limit::Waits => "ask/waits",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Limit::Fuel => "the script ran more steps than its limit",
            Limit::Time => {
                "the script ran longer than its time limit (on a busy machine, try again)"
            }
            Limit::Memory => "the script used more memory than its limit",
            Limit::Depth => "rules call each other too deeply",
            Limit::Interrupted => "the script was interrupted",
            Limit::Waits => "the ruling waits for an answer",
        })
    }
}
