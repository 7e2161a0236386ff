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

pub(crate) fn install(args: &MinizincArgs) -> Result<ExitCode, CommandFailure> {
    let name = format!("fzn-cnfkit{}", env::consts::EXE_SUFFIX);
    // Beside this program, or else where PATH says.
    let beside = env::current_exe().ok().and_then(|this| Some(this.parent()?.join(&name)));
    let beside = beside.filter(|path| path.is_file());
    let on_path = || env::split_paths(&env::var_os("PATH")?).find(|folder| folder.join(&name).is_file());
    if beside.is_none() && on_path().is_none() {
        eprintln!("warning: `{name}`, which MiniZinc is to call, is neither beside this program nor where PATH says");
    }
    let executable = beside.as_ref().and_then(|path| path.to_str()).unwrap_or("fzn-cnfkit");
    let place = args.folder.as_ref().map_or_else(String::new, |folder| format!("{}: ", folder.display()));
    let configuration = cnfkit_fzn::install(args.folder.as_deref(), executable)
        .map_err(|error| CommandFailure::Output(format!("{place}{error}")))?;
    println!("{}", configuration.display());
    Ok(ExitCode::SUCCESS)
}
