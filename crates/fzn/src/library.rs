//! The MiniZinc library of this crate, as it is installed.

use std::io;
use std::path::Path;

use include_dir::{Dir, include_dir};

/// The folder `share/minizinc`.
static LIBRARY: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/share/minizinc");

/// Writes the configuration `solvers/cnfkit.msc` and the library beside it, `cnfkit/`, to a folder of MiniZinc's.
/// MiniZinc looks for configurations in `solvers` of each of its folders, and calls `executable`, a path or a name that
/// `PATH` leads to.
///
/// ```
/// let folder = std::env::temp_dir().join(format!("cnfkit-install-{}", std::process::id()));
/// cnfkit_fzn::install(&folder, "fzn-cnfkit")?;
/// assert!(folder.join("solvers/cnfkit.msc").is_file() && folder.join("cnfkit/cnfkit.mzn").is_file());
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When a file cannot be written.
pub fn install(folder: &Path, executable: &str) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    LIBRARY.extract(folder)?;
    let configuration = folder.join("solvers").join("cnfkit.msc");
    let text = std::fs::read_to_string(&configuration)?;
    // In JSON, a path of Windows has each `\` twice.
    std::fs::write(configuration, text.replace("\"fzn-cnfkit\"", &format!("{executable:?}")))
}
