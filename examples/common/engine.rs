//! The option `--engine`: another program as the solver; shared by the examples.
//!
//! ```text
//! #[path = "common/engine.rs"]
//! mod engine;
//! …
//! #[command(flatten)]
//! engine: engine::Engine,
//! …
//! let encoder = match args.engine.make() {
//!     Some(make) => encoder.solver(make),
//!     None => encoder,
//! };
//! ```

use cnfkit::solvers::External;

/// The program that is asked.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Engine {
    #[arg(id = "engine", long, value_name = "NAME|COMMAND", help = help())]
    command: Option<String>,
}

fn help() -> String {
    let names = External::KNOWN.map(|(name, _)| name).join(", ");
    format!(
        "Ask this program instead of the solver that is built in: {names}, some with `:THREADS`, mallob:DIR, or a \
         command"
    )
}

impl Engine {
    /// Makes solvers, if a program was asked for.
    pub(crate) fn make(&self) -> Option<impl Fn() -> External + Send + Sync + 'static> {
        let command = self.command.clone()?;
        Some(move || External::new(command.clone()))
    }
}
