//! The answer of a command on standard output: lines as competitions have them, or one object of JSON.
//!
//! A command says everything once: [`line`](Printed::line) and [`comment`](Printed::comment) are for lines alone,
//! [`member`](Printed::member) is for the object alone.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Instant;

use crate::json::Json;

/// The options that say what is printed.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // options
pub(crate) struct PrintedArgs {
    /// Print one JSON object instead; its members are in `json.md` of the crate `cnfkit-cli`
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the answer alone, without comments
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say on standard error what was done, and how long it took
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// The output of a command.
pub(crate) struct Printed<'a> {
    out: Box<dyn Write + Send + 'a>,
    args: PrintedArgs,
    command: &'static str,
    members: Vec<(&'static str, Json)>,
    /// The start of the command, where its time is a part of the answer.
    pub(crate) start: Option<Instant>,
}

impl<'a> Printed<'a> {
    pub(crate) fn new(out: impl Write + Send + 'a, command: &'static str, args: PrintedArgs) -> Self {
        Self { out: Box::new(out), args, command, members: Vec::new(), start: Some(Instant::now()) }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.args.json
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.args.quiet
    }

    /// A line that the object does not have.
    pub(crate) fn line(&mut self, line: impl Display) -> io::Result<()> {
        if self.args.json { Ok(()) } else { writeln!(self.out, "{line}") }
    }

    /// A line beside the answer.
    pub(crate) fn detail(&mut self, line: impl Display) -> io::Result<()> {
        if self.args.quiet { Ok(()) } else { self.line(line) }
    }

    /// A line that starts with `c`.
    pub(crate) fn comment(&mut self, line: impl Display) -> io::Result<()> {
        self.detail(format_args!("c {line}"))
    }

    /// The writer of lines.
    pub(crate) fn lines(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// A member of the object, which lines say otherwise.
    pub(crate) fn member(&mut self, name: &'static str, value: impl Into<Json>) {
        if self.args.json {
            self.members.push((name, value.into()));
        }
    }

    /// The end of the answer: the object with the exit code, and with the status, if there is one.
    pub(crate) fn end(&mut self, status: Option<&str>, code: u8) -> io::Result<()> {
        if self.args.json {
            let mut all = vec![("command", Json::from(self.command))];
            all.extend(status.map(|status| ("status", status.into())));
            all.push(("exit", code.into()));
            all.append(&mut self.members);
            all.extend(self.start.map(|start| ("seconds", start.elapsed().as_secs_f64().into())));
            writeln!(self.out, "{}", Json::object(all).as_str())?;
        }
        self.out.flush()
    }
}
