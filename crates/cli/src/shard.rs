//! Parts of the lines, by hash, and a file of answers that a restart goes on with.
//!
//! An answer is a line `{"hash":"…","answer":"5346…"}`, where `null` says that there is no solution; a wrong line has
//! `"error"` instead. The hash is FNV-1a of 128 bits of the line's bytes, in hexadecimal digits. A line is written at
//! once: a program that is killed leaves whole lines, and one in parts at most, which a restart takes off. The file is
//! locked as long as a program writes to it, so that a second one does not.
//!
//! Source: Fowler, Noll, Vo, Eastlake, *The FNV Non-Cryptographic Hash Algorithm*, RFC 9923.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::str::FromStr;

use fs4::{FileExt, TryLockError};

use crate::json::Json;

const START: &str = "{\"hash\":\"";

pub(crate) fn hash(line: &[u8]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = (1 << 88) + 0x13b;
    line.iter().fold(BASIS, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

/// One part of so many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shard {
    part: u32,
    of: u32,
}

impl Shard {
    pub(crate) fn has(self, hash: u128) -> bool {
        (hash ^ hash >> 64) as u64 % u64::from(self.of) + 1 == u64::from(self.part)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((part, of)) if (1..=of).contains(&part) => Ok(Self { part, of }),
            _ => Err("allowed is i/n with 1 ≤ i ≤ n".to_owned()),
        }
    }
}

/// The file of answers.
pub(crate) struct Answers {
    file: File,
    /// How often each line was answered before, and not met yet.
    done: HashMap<u128, u64>,
}

impl Answers {
    /// Reads what is there, and goes on behind it.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        FileExt::try_lock(&file).map_err(|error| match error {
            TryLockError::WouldBlock => io::Error::other("another program is writing to it: each part needs its own"),
            TryLockError::Error(error) => error,
        })?;
        let mut done = HashMap::new();
        // A pipe or a device has nothing to go on with.
        if file.metadata()?.is_file() {
            let (mut reader, mut end, mut line) = (BufReader::new(&mut file), 0, Vec::new());
            while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
                let digits = line.strip_prefix(START.as_bytes()).and_then(|rest| rest.get(..32));
                let hash = digits.and_then(|digits| u128::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
                let hash = hash.ok_or_else(|| io::Error::other("it has lines that are no answers"))?;
                *done.entry(hash).or_default() += 1;
                end += line.len() as u64;
                line.clear();
            }
            file.set_len(end)?;
        }
        Ok(Self { file, done })
    }

    /// True once for each time that the line was answered before.
    pub(crate) fn take(&mut self, hash: u128) -> bool {
        let left = self.done.get_mut(&hash).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    }

    /// Writes the answer to a line, or why it is wrong.
    pub(crate) fn write(&mut self, hash: u128, of: Result<&Json, &str>) -> io::Result<()> {
        self.file.write_all(answer(hash, of).as_bytes())
    }
}

/// The answer to a line, as a line.
pub(crate) fn answer(hash: u128, answer: Result<&Json, &str>) -> String {
    let (name, value) = answer.map_or_else(|error| ("error", error.into()), |answer| ("answer", answer.clone()));
    format!("{START}{hash:032x}\",\"{name}\":{}}}\n", value.as_str())
}
