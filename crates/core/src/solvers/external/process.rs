//! A program that runs in a process group of its own, and leaves nothing behind.
//!
//! The group's leader is a shell that waits for a word on its standard input, which is a pipe that only this process
//! can write to: `end` kills the group, `stop` asks it to end by SIGTERM and kills it 50 ms later. When this process
//! ends, however it does, the system closes the pipe; the shell then does as for `stop`. The standard library has no
//! other way to do so without `unsafe` code: it sends no signals but SIGKILL to one process. In the same way a shell
//! removes the formula's file, which is there between questions, too.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::error::Failure;
use super::output::{Output, Tail};

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
struct Group {
    leader: Child,
    engine: Child,
}

impl Group {
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

impl Drop for Group {
    fn drop(&mut self) {
        tell(&mut self.leader, "end\n");
        // Nothing can be done about processes that cannot be waited for.
        let _ = (self.leader.wait(), self.engine.kill(), self.engine.wait());
    }
}

/// Hands over all that is read, in pieces.
fn pump(mut from: impl Read, stream: usize, pieces: &SyncSender<(usize, Vec<u8>)>) {
    let mut buffer = [0; 1 << 13];
    loop {
        match from.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(n) if n > 0 && pieces.send((stream, buffer[..n].to_vec())).is_ok() => {}
            _ => return,
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
    output: &mut Output,
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
    let mut group = Group::start(&words, input)?;
    let (sender, pieces) = mpsc::sync_channel(16);
    let streams: [Option<Box<dyn Read + Send>>; 2] = [
        group.engine.stdout.take().map(|stream| Box::new(stream) as _),
        group.engine.stderr.take().map(|stream| Box::new(stream) as _),
    ];
    for (stream, from) in streams.into_iter().enumerate() {
        let (sender, from) = (sender.clone(), from.ok_or_else(|| Failure::Start(io::ErrorKind::BrokenPipe.into()))?);
        let pump = thread::Builder::new().spawn(move || pump(from, stream, &sender));
        pump.map_err(Failure::Start)?;
    }
    drop(sender);

    let (mut stopped, mut ended, mut is_open) = (None::<Instant>, None::<Instant>, true);
    loop {
        match if is_open { pieces.recv_timeout(TICK) } else { Err(RecvTimeoutError::Timeout) } {
            Ok((stream, piece)) => {
                tail.feed(stream, &piece);
                if stream == 0 {
                    output.feed(&piece)?;
                }
            }
            Err(error) => is_open &= error == RecvTimeoutError::Timeout,
        }
        // Also while there is output: what it has started may go on to write.
        let status = group.engine.try_wait().map_err(Failure::Start)?;
        if status.is_some() && ended.is_none() {
            ended = Some(Instant::now());
        }
        if !is_open {
            if status.is_some() {
                break;
            }
            thread::sleep(Duration::from_millis(1)); // it closed its output, and is about to end
        }
        if stopped.is_none() && ended.is_none() && is_over() {
            tell(&mut group.leader, "stop\n");
            stopped = Some(Instant::now());
        }
        let lasts = |since: Option<Instant>, time| since.is_some_and(|since| since.elapsed() > time);
        if lasts(stopped, GRACE) || lasts(ended, DRAIN) {
            break;
        }
        if lasts(ended, GRACE) {
            tell(&mut group.leader, "end\n");
        }
    }
    if stopped.is_some() {
        return Ok(None); // its last word may be half of one
    }
    output.end_word()?;
    group.engine.try_wait().map_err(Failure::Start)
}
