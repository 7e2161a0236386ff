//! Engines: programs of others that answer some questions in place of the built-in solver. They are those that the
//! library knows by name and that are installed when the server starts.
//!
//! An engine runs only as long as its question: the library kills it when the time is over or nobody waits any more.
//! Its memory is no part of this process, so the system limits it, and the question reserves as much.

use std::env;
use std::path::Path;
use std::sync::Arc;

use cnfkit::solvers::External;

use crate::memory::MIB;

/// The most memory of an engine, in bytes.
pub const MOST: usize = 384 * MIB;

/// An engine that is installed.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The library's name of it.
    pub name: &'static str,
    command: Arc<str>,
}

impl Engine {
    /// An engine with one thread, and with limited memory.
    fn new(name: &'static str, command: &str) -> Self {
        let command = command.replace("{threads}", "1");
        // Java takes a part of the machine's memory unless it is told otherwise.
        let limits = format!("ulimit -d {} && JAVA_TOOL_OPTIONS=-Xmx{} exec", MOST >> 10, MOST * 2 / 3);
        Self { name, command: format!("sh -c '{limits} \"$0\" \"$@\"' {command}").into() }
    }

    /// Makes solvers.
    pub fn make(&self) -> impl Fn() -> External + Send + Sync + 'static {
        let command = Arc::clone(&self.command);
        move || External::new(&*command)
    }
}

/// The engines whose program is found on `PATH`, and the files that their commands name.
#[must_use]
pub fn installed() -> Vec<Engine> {
    let path = env::var_os("PATH").unwrap_or_default();
    let is_program = |name: &str| env::split_paths(&path).any(|folder| is_executable(&folder.join(name)));
    let is_there = |command: &str| {
        let mut words = command.split(' ');
        words.next().is_some_and(is_program)
            && words.filter(|word| word.starts_with('/')).all(|file| Path::new(file).exists())
    };
    External::KNOWN
        .iter()
        .filter(|(_, command)| is_there(command))
        .map(|(name, command)| Engine::new(name, command))
        .collect()
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The library starts programs on Unix alone.
#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    false
}
