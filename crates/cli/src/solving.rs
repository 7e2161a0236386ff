//! The options that commands share: who is asked, for how long, and what is printed.

use cnfkit::solvers::External;

use crate::printed::PrintedArgs;
use crate::watch::Watch;

/// Who is asked, and for how long.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Solving {
    #[command(flatten)]
    engine: EngineArgument,
    #[command(flatten)]
    running: Running,
}

/// The options of every command.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Running {
    /// Give up after this many seconds, for everything together
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    #[command(flatten)]
    pub(crate) printed: PrintedArgs,
}

impl Running {
    pub(crate) fn watch(&self) -> Result<Watch, String> {
        Watch::new(self.time_limit, self.printed.verbose)
    }
}

impl Solving {
    pub(crate) fn watch(&self) -> Result<Watch, String> {
        self.running.watch()
    }

    pub(crate) fn printed(&self) -> PrintedArgs {
        self.running.printed
    }

    /// Makes solvers, if a program was asked for.
    pub(crate) fn make(&self) -> Option<impl Fn() -> External + Send + Sync + 'static> {
        self.engine.make()
    }
}

/// The program that is asked.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EngineArgument {
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

impl EngineArgument {
    /// Makes solvers, if a program was asked for.
    pub(crate) fn make(&self) -> Option<impl Fn() -> External + Send + Sync + 'static> {
        let command = self.command.clone()?;
        Some(move || External::new(command.clone()))
    }
}

/// The question, put to the program that was asked for, if there is one.
macro_rules! by {
    ($solving:expr, $question:expr) => {
        match $solving.make() {
            Some(make) => $question.solver(make),
            None => $question,
        }
    };
}
