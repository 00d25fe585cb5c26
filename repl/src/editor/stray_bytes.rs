//! Skips the input that the terminal still holds after bytes that are not text.
//!
//! Such bytes come from a terminal with another character set or from a paste. The rest of a paste must not be taken
//! for typed lines: its end would run as commands without its beginning.

/// End mark of a paste, as terminals send it.
const END: &[u8] = b"\x1b[201~";

/// Reads until no more input is on its way; a paste is read until its end or until no input comes for a while.
#[cfg(unix)]
pub(super) fn skip_stray_bytes(is_paste: bool) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

    let input = std::io::stdin();
    let Ok(mode) = tcgetattr(&input) else {
        return;
    };
    let mut raw = mode.clone();
    raw.make_raw();
    if tcsetattr(&input, OptionalActions::Now, &raw).is_err() {
        return;
    }
    let mut end = End::default();
    // A terminal sends one piece without a pause; a long paste comes in pieces.
    let pause = Timespec {
        tv_sec: 0,
        tv_nsec: if is_paste { 250_000_000 } else { 50_000_000 },
    };
    let mut bytes = [0; 4096];
    loop {
        let mut waiting = [PollFd::new(&input, PollFlags::IN)];
        if !matches!(poll(&mut waiting, Some(&pause)), Ok(1)) {
            break;
        }
        match rustix::io::read(&input, &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(count) if is_paste && end.is_found_in(&bytes[..count]) => break,
            Ok(_) => {}
        }
    }
    // A closed terminal has no mode to restore.
    let _ = tcsetattr(&input, OptionalActions::Now, &mode);
}

/// On other systems the editor reads keys, not bytes: there is nothing to skip.
#[cfg(not(unix))]
pub(super) fn skip_stray_bytes(_: bool) {}

/// Search for the end of a paste that comes in pieces.
#[derive(Default)]
#[cfg_attr(not(unix), allow(dead_code))]
struct End {
    before: Vec<u8>,
}

#[cfg_attr(not(unix), allow(dead_code))]
impl End {
    /// Returns whether these bytes contain the end, alone or together with the bytes before.
    fn is_found_in(&mut self, bytes: &[u8]) -> bool {
        self.before.extend_from_slice(bytes);
        let is_found = self.before.windows(END.len()).any(|part| part == END);
        let kept = self.before.len().saturating_sub(END.len() - 1);
        self.before.drain(..kept);
        is_found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_paste_is_found_across_pieces() {
        let mut end = End::default();
        assert!(!end.is_found_in(b"mood Ann\r\x1b[20"));
        assert!(end.is_found_in(b"1~"));
        let mut end = End::default();
        assert!(!end.is_found_in(b"\x1b[2"));
        assert!(!end.is_found_in(b"00~1~"));
    }
}
