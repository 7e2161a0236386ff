//! The MiniZinc library of this crate, as it is installed.

use std::path::{Path, PathBuf};
use std::{env, io};

use include_dir::{Dir, include_dir};

/// The folder `share/minizinc`.
static LIBRARY: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/share/minizinc");

/// Writes the configuration `solvers/cnfkit.msc` and the library beside it, `cnfkit/`, to a folder of MiniZinc's, or to
/// the user's, `~/.minizinc`, which is `%APPDATA%\MiniZinc` on Windows. MiniZinc looks for configurations in `solvers`
/// of each of its folders, and calls `executable`, a path or a name that `PATH` leads to. Returns the configuration's
/// path.
///
/// ```
/// let folder = std::env::temp_dir().join(format!("cnfkit-install-{}", std::process::id()));
/// let configuration = cnfkit_fzn::install(Some(&folder), "fzn-cnfkit")?;
/// assert_eq!(configuration, folder.join("solvers").join("cnfkit.msc"));
/// assert!(configuration.is_file() && folder.join("cnfkit/cnfkit.mzn").is_file());
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When a file cannot be written, or no folder is named and the user has no home.
pub fn install(folder: Option<&Path>, executable: &str) -> io::Result<PathBuf> {
    let none = || io::Error::new(io::ErrorKind::NotFound, "there is no home folder; name a folder");
    let folder = folder.map(Path::to_owned).or_else(users).ok_or_else(none)?;
    std::fs::create_dir_all(&folder)?;
    LIBRARY.extract(&folder)?;
    let configuration = folder.join("solvers").join("cnfkit.msc");
    let text = std::fs::read_to_string(&configuration)?;
    // In JSON, a path of Windows has each `\` twice.
    std::fs::write(&configuration, text.replace("\"fzn-cnfkit\"", &format!("{executable:?}")))?;
    Ok(configuration)
}

/// The user's folder of MiniZinc.
fn users() -> Option<PathBuf> {
    let (home, name) = if cfg!(windows) { ("APPDATA", "MiniZinc") } else { ("HOME", ".minizinc") };
    Some(PathBuf::from(env::var_os(home).filter(|home| !home.is_empty())?).join(name))
}
