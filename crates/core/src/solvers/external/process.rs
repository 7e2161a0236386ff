//! A program that runs in a process group of its own, and leaves nothing behind.
//!
//! The group's leader is a shell that waits for a word on its standard input, which is a pipe that only this process
//! can write to: `end` kills the group, `stop` asks it to end by SIGTERM and kills it 50 ms later. When this process
//! ends, however it does, the system closes the pipe; the shell then does as for `stop`. The standard library has no
//! other way to do so without `unsafe` code: it sends no signals but SIGKILL to one process. In the same way a shell
//! removes the formula's file, which is there between questions, too.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::error::Failure;
use super::output::{EngineOutput, Tail};

/// The shell that leads the group.
const LEADER: &str = "read how; [ \"$how\" = end ] || { trap '' TERM; kill -TERM 0; sleep 0.05; }; kill -KILL 0";
/// The shell that removes the file `$0` when its input ends.
const KEEPER: &str = "read end; rm -f \"$0\"";
/// The time between two looks at the clock while nothing is printed.
const TICK: Duration = Duration::from_millis(5);
/// The time after which nothing more is read since the order to stop, and after which what a program that ended has
/// started is killed: it may keep the output open.
const GRACE: Duration = Duration::from_millis(80);
/// The time in which the output of a program that ended is read to its end: threads of a busy machine wait for long.
const DRAIN: Duration = Duration::from_secs(2);
/// The limit in seconds of a question that has none, 115 days: Mallob takes no greater one.
const LONGEST: u64 = 9_999_999;

/// The words of a command; quotes keep a word together.
fn words(command: &str) -> Result<Vec<String>, Failure> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for sign in command.chars() {
        match quote {
            Some(open) if sign == open => quote = None,
            None if sign == '\'' || sign == '"' => {
                quote = Some(sign);
                word.get_or_insert_default();
            }
            None if sign.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(sign),
        }
    }
    words.extend(word);
    match quote {
        Some(_) => Err(Failure::Command("a quote is not closed")),
        None if words.is_empty() => Err(Failure::Command("it is empty")),
        None => Ok(words),
    }
}

/// The processes of a question. None of them is left when this is dropped.
struct ProcessGroup {
    leader: Child,
    engine: Child,
}

impl ProcessGroup {
    fn start(words: &[String], input: Stdio) -> Result<Self, Failure> {
        let mut leader = lead(LEADER, &[])?;
        let mut engine = Command::new(&words[0]);
        engine.args(&words[1..]).process_group(leader.id() as i32);
        match engine.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() {
            Ok(engine) => Ok(Self { leader, engine }),
            Err(error) => {
                tell(&mut leader, "end\n");
                let _ = leader.wait();
                Err(Failure::Start(error))
            }
        }
    }
}

/// A shell that leads a new process group, and has files as `$0`, `$1` and so on.
pub(super) fn lead(script: &str, files: &[&Path]) -> Result<Child, Failure> {
    let mut leader = Command::new("sh");
    leader.args(["-c", script]).args(files).process_group(0);
    let leader = leader.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    leader.map_err(Failure::Start)
}

/// A shell that removes a file once nobody holds its input any more.
pub(super) fn keep(file: &Path) -> Result<Child, Failure> {
    lead(KEEPER, &[file])
}

/// Says a word to the leader, who may be gone.
pub(super) fn tell(leader: &mut Child, how: &str) {
    if let Some(pipe) = &mut leader.stdin {
        let _ = pipe.write_all(how.as_bytes());
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        tell(&mut self.leader, "end\n");
        // Nothing can be done about processes that cannot be waited for.
        let _ = (self.leader.wait(), self.engine.kill(), self.engine.wait());
    }
}

/// The way of pieces of two streams.
type PieceSender = SyncSender<(usize, Vec<u8>)>;

/// Hands over all that is read, in pieces, by a thread of its own.
fn pump(from: Option<impl Read + Send + 'static>, stream: usize, pieces: PieceSender) -> Result<(), Failure> {
    let mut from = from.ok_or_else(|| Failure::Start(ErrorKind::BrokenPipe.into()))?;
    let pump = move || {
        let mut buffer = [0; 1 << 13];
        loop {
            match from.read(&mut buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(n) if n > 0 && pieces.send((stream, buffer[..n].to_vec())).is_ok() => {}
                _ => return,
            }
        }
    };
    thread::Builder::new().spawn(pump).map(drop).map_err(Failure::Start)
}

/// The signs of life of an engine, at one look.
#[derive(Clone, Copy, Debug)]
struct EngineSigns {
    /// Somebody may still write to its output.
    is_open: bool,
    ended: Option<ExitStatus>,
    /// The question is over.
    is_over: bool,
}

/// The course of an engine, with the time at which it was asked to end, or did so by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EnginePhase {
    Running,
    Stopping(Instant),
    /// Its children may go on to write.
    Ended(Instant),
    /// They do, and are killed.
    Killing(Instant),
    /// Nothing more is read; there is no status of an engine that was stopped.
    Done(Option<ExitStatus>),
}

impl EnginePhase {
    fn next(self, signs: EngineSigns, now: Instant) -> Self {
        let lasts = |since, time| now.saturating_duration_since(since) > time;
        let is_quiet = signs.ended.is_some() && !signs.is_open;
        match (self, signs.ended) {
            (Self::Stopping(since), _) if is_quiet || lasts(since, GRACE) => Self::Done(None),
            (Self::Running | Self::Ended(_) | Self::Killing(_), ended) if is_quiet => Self::Done(ended),
            (Self::Running, Some(_)) => Self::Ended(now),
            (Self::Running, None) if signs.is_over => Self::Stopping(now),
            (Self::Ended(since) | Self::Killing(since), ended) if lasts(since, DRAIN) => Self::Done(ended),
            (Self::Ended(since), _) if lasts(since, GRACE) => Self::Killing(since),
            (phase, _) => phase,
        }
    }
}

/// Runs a command in which words of `places` stand for files, the formula's first: how it ended, or none if `is_over`
/// stopped it.
///
/// # Errors
/// When it cannot be started, and for words that it should not have printed.
pub(super) fn run(
    command: &str,
    places: &[(&str, &Path)],
    time_left: Option<Duration>,
    is_over: &dyn Fn() -> bool,
    output: &mut EngineOutput,
    tail: &mut Tail,
) -> Result<Option<ExitStatus>, Failure> {
    // Rounded up, so that whoever stops it is its caller.
    let limit = time_left.map_or(LONGEST, |left| left.as_secs().saturating_add(1).min(LONGEST)).to_string();
    let words = words(command)?;
    let [(place, file), ..] = *places else { return Err(Failure::Command("it is for no formula")) };
    let input = if words.iter().any(|word| word.contains(place)) {
        Stdio::null()
    } else {
        std::fs::File::open(file).map_err(Failure::File)?.into()
    };
    let named = |word: String, &(place, file): &(&str, &Path)| word.replace(place, &file.to_string_lossy());
    let words: Vec<String> =
        words.iter().map(|word| places.iter().fold(word.replace("{limit}", &limit), named)).collect();
    let mut group = ProcessGroup::start(&words, input)?;
    let (sender, pieces) = mpsc::sync_channel(16);
    pump(group.engine.stdout.take(), 0, sender.clone())?;
    pump(group.engine.stderr.take(), 1, sender)?;

    let mut phase = EnginePhase::Running;
    let status = loop {
        let heard = pieces.recv_timeout(TICK);
        if let Ok((stream, piece)) = &heard {
            tail.feed(*stream, piece);
            if *stream == 0 {
                output.feed(piece)?;
            }
        }
        let is_open = heard != Err(RecvTimeoutError::Disconnected);
        // Also while there is output: what it has started may go on to write.
        let ended = group.engine.try_wait().map_err(Failure::Start)?;
        let next = phase.next(EngineSigns { is_open, ended, is_over: is_over() }, Instant::now());
        match next {
            EnginePhase::Done(status) => break status,
            EnginePhase::Stopping(_) if next != phase => tell(&mut group.leader, "stop\n"),
            EnginePhase::Killing(_) if next != phase => tell(&mut group.leader, "end\n"),
            _ if !is_open => thread::sleep(Duration::from_millis(1)), // it closed its output, and is about to end
            _ => {}
        }
        phase = next;
    };
    if status.is_some() {
        output.end_word()?; // that of an engine that was stopped may be half of one
    }
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    /// The phase of an engine after looks at these times in milliseconds: is its output open, has it ended, is the
    /// question over?
    fn after(looks: &[(u64, bool, bool, bool)]) -> (EnginePhase, Instant) {
        let start = Instant::now();
        let phase = looks.iter().fold(EnginePhase::Running, |phase, &(time, is_open, has_ended, is_over)| {
            let ended = has_ended.then(|| ExitStatus::from_raw(10 << 8));
            phase.next(EngineSigns { is_open, ended, is_over }, start + Duration::from_millis(time))
        });
        (phase, start)
    }

    /// The looks of an engine, and its phase, with the time in milliseconds that it holds, or else its exit code.
    fn is(looks: &[(u64, bool, bool, bool)], phase: fn(Instant) -> EnginePhase, time: u64) {
        let (found, start) = after(looks);
        assert_eq!(found, phase(start + Duration::from_millis(time)), "{looks:?}");
    }

    #[test]
    fn an_engine_that_ends_by_itself_is_read_to_its_end() {
        let done: fn(Instant) -> EnginePhase = |_| EnginePhase::Done(Some(ExitStatus::from_raw(10 << 8)));
        is(&[(0, true, false, false), (9_999_999, true, false, false)], |_| EnginePhase::Running, 0);
        // It closes its output first, and last.
        is(&[(0, false, false, false), (90_000, false, false, false)], |_| EnginePhase::Running, 0);
        is(&[(0, false, false, false), (1, false, true, false)], done, 0);
        is(&[(0, false, true, false)], done, 0);
        is(&[(7, true, true, false), (87, true, true, false)], EnginePhase::Ended, 7);
        is(&[(7, true, true, false), (8, false, true, false)], done, 0);
        // What it has started is killed, and read for two seconds at most.
        is(&[(7, true, true, false), (88, true, true, false)], EnginePhase::Killing, 7);
        is(&[(7, true, true, false), (88, true, true, false), (2_007, true, true, false)], EnginePhase::Killing, 7);
        is(&[(7, true, true, false), (88, true, true, false), (2_008, true, true, false)], done, 0);
        is(&[(7, true, true, false), (88, true, true, false), (89, false, true, false)], done, 0);
        is(&[(7, true, true, false), (2_008, true, true, false)], done, 0);
    }

    /// Its answer counts, although the question is over when it is read.
    #[test]
    fn an_engine_that_has_ended_is_not_stopped() {
        let done: fn(Instant) -> EnginePhase = |_| EnginePhase::Done(Some(ExitStatus::from_raw(10 << 8)));
        is(&[(7, true, true, true)], EnginePhase::Ended, 7);
        is(&[(7, false, true, true)], done, 0);
        is(&[(7, true, true, false), (9, true, true, true)], EnginePhase::Ended, 7);
        is(&[(7, true, true, false), (9, false, true, true)], done, 0);
    }

    #[test]
    fn an_engine_that_is_stopped_has_no_status() {
        let done: fn(Instant) -> EnginePhase = |_| EnginePhase::Done(None);
        is(&[(5, true, false, true)], EnginePhase::Stopping, 5);
        is(&[(5, false, false, true)], EnginePhase::Stopping, 5);
        // It ends, and what it has started goes on to write; or it only closes its output.
        is(&[(5, true, false, true), (85, true, true, true)], EnginePhase::Stopping, 5);
        is(&[(5, true, false, true), (85, false, false, true)], EnginePhase::Stopping, 5);
        is(&[(5, true, false, true), (6, false, true, true)], done, 0);
        is(&[(5, true, false, true), (86, true, false, true)], done, 0);
        is(&[(5, true, false, true), (86, true, true, false)], done, 0);
        // No sign undoes it.
        is(&[(5, true, false, true), (6, true, false, false)], EnginePhase::Stopping, 5);
        is(&[(5, true, false, true), (6, false, true, true), (7, true, false, false)], done, 0);
    }
}
