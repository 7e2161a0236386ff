//! The options `--engine` and `--time-limit`: who is asked, and for how long; shared by the examples.
//!
//! ```text
//! #[macro_use]
//! #[path = "common/solving.rs"]
//! mod solving;
//! …
//! #[command(flatten)]
//! solving: solving::Solving,
//! …
//! let watch = args.solving.watch()?;
//! let encoder = by!(args.solving, encoder.limits(watch.limits()));
//! ```

#[path = "engine.rs"]
mod engine;
#[path = "watch.rs"]
#[allow(dead_code)] // not all of it is of use to every example
mod watch;

use std::process::ExitCode;

use cnfkit::solvers::External;

pub(crate) use self::watch::Watch;

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Solving {
    #[command(flatten)]
    engine: engine::Engine,
    /// Give up after this many seconds, for everything together
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
}

impl Solving {
    pub(crate) fn watch(&self) -> Result<Watch, String> {
        Watch::new(self.time_limit)
    }

    /// Makes solvers, if a program was asked for.
    pub(crate) fn make(&self) -> Option<impl Fn() -> External + Send + Sync + 'static> {
        self.engine.make()
    }
}

/// The exit code: 2 where there is a message instead of one.
#[allow(dead_code)] // some examples have more to say
pub(crate) fn end(done: Result<ExitCode, String>) -> ExitCode {
    done.unwrap_or_else(|message| {
        eprintln!("error: {message}");
        ExitCode::from(2)
    })
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
