//! Certificates as texts: the library writes them into a folder, which is there as long as the question.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use cnfkit::Limits;
use schemars::JsonSchema;
use serde::Serialize;

use crate::jobs::Work;
use crate::problem::Problem;

/// The most conflicts of a solver whose proof is sent: each is a line.
const CONFLICTS: u64 = 20_000;
/// The most bytes of all files together.
const MOST: u64 = 32 << 20;

/// Certificates, each a formula and a proof in a folder of its own.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Proof {
    /// All files.
    files: Vec<File>,
    /// The answer that is proven, and the commands that check it.
    text: String,
}

/// A file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct File {
    /// Its path.
    name: String,
    text: String,
}

/// A folder that goes when it is dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left of it is the system's to clear.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The limits of each certificate.
pub(crate) fn limits(work: &Work) -> Limits {
    work.limits().conflicts(CONFLICTS)
}

/// The certificates that `prove` writes into a new folder, and its words about them.
pub(crate) fn of(work: &Work, prove: impl FnOnce(&Path) -> Result<String, Problem>) -> Result<Proof, Problem> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    work.reserve(3 * MOST as usize)?;
    let name = format!("cnfkit-app-proof-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let dir = Folder(std::env::temp_dir().join(name));
    let mut text = prove(&dir.0)?;
    let bug = |error: std::io::Error| Problem::bug(error.to_string());
    let (mut files, mut bytes) = (Vec::new(), 0);
    for part in ["solution", "other"] {
        if !dir.0.join(part).exists() {
            continue;
        }
        for name in ["formula.opb", "proof.pbp"] {
            let path = dir.0.join(part).join(name);
            bytes += fs::metadata(&path).map_err(bug)?.len();
            if bytes > MOST {
                let error = format!("the proof is longer than {} MiB, the most that is sent", MOST >> 20);
                return Err(Problem::refused("the question", error));
            }
            files.push(File { name: format!("{part}/{name}"), text: fs::read_to_string(path).map_err(bug)? });
        }
        text = format!("{text}; checked by `veripb {part}/formula.opb {part}/proof.pbp`");
    }
    Ok(Proof { files, text })
}
