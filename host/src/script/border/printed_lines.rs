//! Output of `print` in scripts: kept within a budget, values without addresses.

use super::DecimalValue;
use crate::value::Number;

/// Most bytes of one printed line.
pub(crate) const LINE: usize = 4 << 10;
/// Most printed lines of a command.
pub(crate) const LINES: usize = 500;
/// Most printed bytes of a command.
pub(crate) const BYTES: usize = 64 << 10;

/// Output that scripts printed during a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The lines that were kept.
    pub lines: Vec<String>,
    /// The number of lines that were only counted.
    pub left_out: usize,
    bytes: usize,
}

impl Printed {
    /// Keeps a printed line within the budget. Values after the limit of a line are not read.
    pub(crate) fn keep_printed_line<'a>(&mut self, values: impl Iterator<Item = &'a mlua::Value>) {
        let mut line = String::new();
        for (index, value) in values.enumerate() {
            if line.len() > LINE {
                break;
            }
            line.push_str(if index == 0 { "" } else { " " });
            match value {
                mlua::Value::String(text) => {
                    let bytes = text.as_bytes();
                    line.push_str(&String::from_utf8_lossy(
                        &bytes[..bytes.len().min(LINE + 4)],
                    ));
                }
                other => line.push_str(&value_as_printed(other)),
            }
        }
        self.push_within_budget(line);
    }

    fn push_within_budget(&mut self, line: String) {
        let cut = cut_line_at_limit(line);
        if self.lines.len() >= LINES || self.bytes + cut.len() > BYTES {
            self.left_out += 1;
            return;
        }
        self.bytes += cut.len();
        self.lines.push(cut);
    }
}

/// Returns a value as `print` shows it, without addresses.
pub(crate) fn value_as_printed(value: &mlua::Value) -> String {
    match value {
        mlua::Value::String(text) => text.to_string_lossy(),
        mlua::Value::LightUserData(data) if data.0.is_null() => "null".to_owned(),
        // A number is shown as it crosses the border. A number that cannot cross is shown as in Luau.
        mlua::Value::Number(number) => match Number::from_f64(*number) {
            Ok(number) => number.to_string(),
            Err(_) => value.to_string().unwrap_or_default(),
        },
        mlua::Value::Nil | mlua::Value::Boolean(_) | mlua::Value::Integer(_) => {
            value.to_string().unwrap_or_default()
        }
        mlua::Value::Vector(_) => value.to_string().unwrap_or_default(),
        mlua::Value::UserData(data) => match data.borrow::<DecimalValue>() {
            Ok(decimal) => decimal.0.normalize().to_string(),
            Err(_) => "userdata".to_owned(),
        },
        other => other.type_name().to_owned(),
    }
}

/// Cuts a printed line at its limit.
fn cut_line_at_limit(mut line: String) -> String {
    if line.len() > LINE {
        let end = (0..=LINE)
            .rev()
            .find(|at| line.is_char_boundary(*at))
            .unwrap_or(0);
        line.truncate(end);
        line.push('…');
    }
    line
}
