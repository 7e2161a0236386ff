//! Makes all pictures of `docs/pictures`.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Parser;

/// Draws the pictures of the README: charts of the figures in benches/BASELINE.md, puzzles and encodings.
#[derive(Parser)]
struct Args {
    /// The directory to write to, which is made where there is none; without it, docs/pictures.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let to = Args::parse().to.unwrap_or_else(cnfkit_charts::pictures);
    let baseline = fs::read_to_string(cnfkit_charts::baseline())?;
    fs::create_dir_all(&to)?;
    for (name, picture) in cnfkit_charts::draw(&baseline)? {
        let file = to.join(name);
        fs::write(&file, &picture).map_err(|error| format!("{}: {error}", file.display()))?;
        writeln!(std::io::stdout(), "{name}: {} KiB", picture.len().div_ceil(1024))?;
    }
    Ok(())
}
