//! A line on standard error, where that is a terminal, that says how much of a file was read.

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// The least time between two lines.
const PACE: Duration = Duration::from_millis(100);

pub(super) struct ReadProgress {
    /// The bytes of the file, if it is one.
    size: Option<u64>,
    start: Instant,
    /// The time of the next line; none is shown where there is no terminal.
    next: Cell<Option<Instant>>,
}

impl ReadProgress {
    pub(super) fn new(size: Option<u64>) -> Self {
        let start = Instant::now();
        let next = io::stderr().is_terminal().then_some(start + PACE);
        Self { size: size.filter(|&size| size > 0), start, next: Cell::new(next) }
    }

    /// Shows that so many bytes were read, unless that was done a moment ago.
    pub(super) fn show(&self, read: u64) {
        let now = Instant::now();
        if self.next.get().is_some_and(|next| next <= now) {
            eprint!("\r\x1b[K{}", text(read, self.size, now - self.start));
            self.next.set(Some(now + PACE));
        }
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        if self.next.get().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

/// A bar of forty cells, and the seconds that are left if the rest takes as long as what was read.
fn text(read: u64, size: Option<u64>, since: Duration) -> String {
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let Some(size) = size else { return format!("{:.1} MB", megabytes(read)) };
    let read = read.min(size);
    let full = (u128::from(read) * 40 / u128::from(size)) as usize;
    let bar = format!("{}{}", "█".repeat(full), "░".repeat(40 - full));
    let left = since.as_secs_f64() * (size - read) as f64 / read.max(1) as f64;
    format!("{bar} {:.1} of {:.1} MB, {left:.0} s left", megabytes(read), megabytes(size))
}

/// A number with commas between its thousands.
pub(super) fn thousands(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let quarter = text(1_000_000, Some(4_000_000), Duration::from_secs(2));
        assert_eq!(quarter, format!("{}{} 1.0 of 4.0 MB, 6 s left", "█".repeat(10), "░".repeat(30)));
        assert_eq!(text(9, Some(3), Duration::ZERO), format!("{} 0.0 of 0.0 MB, 0 s left", "█".repeat(40)));
        assert_eq!(text(2_500_000, None, Duration::ZERO), "2.5 MB");
        for (number, expected) in [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345_678, "12,345,678")] {
            assert_eq!(thousands(number), expected);
        }
    }
}
