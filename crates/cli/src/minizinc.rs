//! `cnfkit minizinc-install`: what MiniZinc needs to know of this solver, where MiniZinc looks for it.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::CommandFailure;

/// Makes `minizinc --solver cnfkit` find this program.
///
/// Writes `solvers/cnfkit.msc` and the library `cnfkit` to the user's folder of MiniZinc. A new version of the program
/// installs its own again.
#[derive(Debug, clap::Args)]
pub(crate) struct MinizincArgs {
    /// The folder, instead of `~/.minizinc`, or `%APPDATA%\MiniZinc` on Windows.
    folder: Option<PathBuf>,
}

/// The user's folder of MiniZinc.
fn home() -> Option<PathBuf> {
    let below = |variable, name| env::var_os(variable).filter(|value| !value.is_empty()).map(|home| (home, name));
    let (home, name) = if cfg!(windows) { below("APPDATA", "MiniZinc") } else { below("HOME", ".minizinc") }?;
    Some(PathBuf::from(home).join(name))
}

pub(crate) fn install(args: &MinizincArgs) -> Result<ExitCode, CommandFailure> {
    let none = || CommandFailure::Input("there is no home folder; name a folder".to_owned());
    let folder = args.folder.clone().or_else(home).ok_or_else(none)?;
    let name = format!("fzn-cnfkit{}", env::consts::EXE_SUFFIX);
    // Beside this program, or else where PATH says.
    let beside = env::current_exe().ok().and_then(|this| Some(this.parent()?.join(name))).filter(|path| path.is_file());
    let executable = beside.as_ref().and_then(|path| path.to_str()).unwrap_or("fzn-cnfkit");
    cnfkit_fzn::install(&folder, executable)
        .map_err(|error| CommandFailure::Output(format!("{}: {error}", folder.display())))?;
    println!("{}", folder.join("solvers").join("cnfkit.msc").display());
    Ok(ExitCode::SUCCESS)
}
