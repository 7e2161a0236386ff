//! Mallob as it runs on a cluster: a job in JSON is moved into a directory, and its result appears in another.
//!
//! Of the directory of a client, such as `.api/jobs.0`, Mallob watches `in`, takes what appears there, and writes
//! `out/USER.NAME.json`. A long model is not in that file but in a pipe that it names, as integers of the machine.
//! A job that is given up is interrupted by a second file, which a shell puts there, as it does when this process ends:
//! Mallob then writes a result, too, which nobody but the shell waits for.
//!
//! Source: D. Schreiber, P. Sanders, *Scalable SAT Solving in the Cloud*, SAT 2021, LNCS 12831, pages 518–534, and the
//! page *Executing Mallob* of its documentation.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tinyjson::JsonValue;

use super::error::Failure;
use super::output::{EngineOutput, Status, Tail};
use super::process;

/// The time between two looks for the result.
const TICK: Duration = Duration::from_millis(5);
/// The time in which a result that has appeared is to be whole.
const WHOLE: Duration = Duration::from_secs(2);
/// The shell that waits for a word, or for the end of this process. `$0` is the formula, `$1` the job where Mallob
/// looks for it, `$2` its interruption, `$3` where Mallob looks for that, `$4` the result. A job that nobody has taken
/// is taken back; the result of an interruption is waited for, ten seconds at most, and after that the formula may go.
const LEADER: &str = "read how; [ \"$how\" = end ] && exit; rm \"$1\" || { mv \"$2\" \"$3\"; n=0; \
                      until rm \"$4\" || [ $((n += 1)) -gt 100 ]; do sleep 0.1; done; }; \
                      rm -f \"$2\"; [ \"$how\" ] || rm -f \"$0\"";
/// The user that Mallob's documentation has.
const USER: &str = "admin";
/// Higher is more important; the job is to wait for none and to push none aside.
const PRIORITY: f64 = 0.5;

/// The directory that a command names.
pub(super) fn directory(command: &str) -> Option<&Path> {
    command.strip_prefix("mallob:").map(Path::new)
}

/// The files of a job, removed with this.
struct Job {
    entry: PathBuf,
    interruption: PathBuf,
    result: PathBuf,
    leader: Option<Child>,
}

impl Job {
    fn submit(directory: &Path, formula: &Path, time_left: Option<Duration>) -> Result<Self, Failure> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        for part in ["in", "out"] {
            if !directory.join(part).is_dir() {
                let text = format!("{} has no directory `{part}`", directory.display());
                return Err(Failure::Start(io::Error::new(io::ErrorKind::NotFound, text)));
            }
        }
        // Processes of other machines may have the same number.
        let apart = RandomState::new().hash_one(0_u8);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("cnfkit-{}-{number}-{apart:016x}", std::process::id());
        let watched = |kind: &str| directory.join("in").join(format!("{name}{kind}.json"));
        let (entry, interruption) = (watched(""), directory.join(format!("{name}.interrupt.part")));
        let result = directory.join("out").join(format!("{USER}.{name}.json"));
        let leader = process::lead(LEADER, &[formula, &entry, &interruption, &watched(".interrupt"), &result])?;
        let job = Self { entry, interruption, result, leader: Some(leader) };
        let text = |text: &str| JsonValue::from(text.to_owned());
        let whose = [("application", text("SAT")), ("user", text(USER)), ("name", text(&name))];
        let mut description = whose.to_vec();
        description.push(("files", vec![text(&formula.to_string_lossy())].into()));
        description.push(("priority", PRIORITY.into()));
        if let Some(left) = time_left {
            description.push(("wallclock-limit", text(&format!("{}s", left.as_secs().saturating_add(1)))));
        }
        write(&job.interruption, whose.into_iter().chain([("interrupt", true.into())]))?;
        // It is moved there, so that it appears as a whole.
        let part = directory.join(format!("{name}.part"));
        let moved =
            write(&part, description.into_iter()).and_then(|()| fs::rename(&part, &job.entry).map_err(Failure::File));
        moved.inspect_err(|_| drop(fs::remove_file(&part)))?;
        Ok(job)
    }

    /// Leaves the rest to the shell, whatever becomes of this process.
    fn give_up(mut self) {
        if let Some(mut leader) = self.leader.take() {
            process::tell(&mut leader, "stop\n");
            let _ = thread::Builder::new().spawn(move || leader.wait());
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let Some(mut leader) = self.leader.take() else { return };
        for file in [&self.entry, &self.interruption, &self.result] {
            let _ = fs::remove_file(file);
        }
        process::tell(&mut leader, "end\n");
        let _ = leader.wait();
    }
}

/// Writes an object of these fields.
fn write(file: &Path, fields: impl Iterator<Item = (&'static str, JsonValue)>) -> Result<(), Failure> {
    let fields = fields.map(|(name, value)| (name.to_owned(), value));
    let text = JsonValue::from(fields.collect::<HashMap<_, _>>()).stringify();
    let text = text.map_err(|error| Failure::File(io::Error::other(error)))?;
    fs::write(file, text).map_err(Failure::File)
}

/// Has the formula in `file` solved: true if there is a result, which `output` then has, false if `is_over` stopped it.
pub(super) fn run(
    directory: &Path,
    file: &Path,
    n_vars: usize,
    time_left: Option<Duration>,
    is_over: &dyn Fn() -> bool,
    output: &mut EngineOutput,
    tail: &mut Tail,
) -> Result<bool, Failure> {
    let file = fs::canonicalize(file).map_err(Failure::File)?;
    let job = Job::submit(directory, &file, time_left)?;
    let mut seen = None::<Instant>;
    let result = loop {
        if is_over() {
            job.give_up();
            return Ok(false);
        }
        match fs::read_to_string(&job.result) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::File(error)),
            Ok(text) => match text.parse::<JsonValue>() {
                Ok(description) => {
                    tail.feed(0, text.as_bytes());
                    break field::<HashMap<String, JsonValue>>(description.get(), "result")
                        .cloned()
                        .unwrap_or_default();
                }
                Err(error) if seen.get_or_insert_with(Instant::now).elapsed() > WHOLE => {
                    tail.feed(0, text.as_bytes());
                    return Err(Failure::Nonsense(error.to_string()));
                }
                Err(_) => {} // it is being written
            },
        }
        thread::sleep(TICK);
    };
    let code = field::<f64>(Some(&result), "resultcode").copied();
    output.status = Some(match code.map(|code| code as i64) {
        Some(10) => Status::Sat,
        Some(20) => Status::Unsat,
        Some(0) => Status::Unknown,
        _ => return Err(Failure::Nonsense(format!("resultcode {code:?}"))),
    });
    if output.status == Some(Status::Sat) {
        let lines: Vec<String> = match field::<Vec<JsonValue>>(Some(&result), "solution") {
            Some(parts) => parts.iter().map(line).collect(),
            None => match piped(&result, n_vars, is_over)? {
                Some(numbers) => numbers.iter().map(|number| format!("v {number}\n")).collect(),
                None => return Ok(false),
            },
        };
        lines.iter().try_for_each(|line| output.feed(line.as_bytes()))?;
        output.feed(b"v 0\n")?; // where it has none: every clause is looked at anyway
    }
    Ok(true)
}

/// A field of an object, if there is one of this type.
fn field<'a, T: tinyjson::InnerAsRef>(object: Option<&'a HashMap<String, JsonValue>>, name: &str) -> Option<&'a T> {
    object?.get(name)?.get()
}

/// A line `v` of a part of a solution. From June 2022 to January 2026 the parts were such lines themselves, whatever
/// the documentation said; otherwise they are literals after a first 0, as variables begin with 1.
fn line(part: &JsonValue) -> String {
    match part {
        JsonValue::String(lines) => lines.clone(),
        JsonValue::Number(number) => format!("v {number}\n"),
        _ => "v ?\n".to_owned(),
    }
}

/// The numbers in the pipe that a result names; none if `is_over` comes first. Opening a pipe waits for its writer, so
/// another thread does it.
fn piped(
    result: &HashMap<String, JsonValue>,
    n_vars: usize,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<Vec<i32>>, Failure> {
    let path = field::<String>(Some(result), "solution-file").ok_or(Failure::NoModel)?.clone();
    let size = field::<f64>(Some(result), "solution-size").and_then(|&size| u64::try_from(size as i64).ok());
    let size = size.filter(|&size| size <= n_vars as u64 + 1).ok_or(Failure::NoModel)?;
    let asking = thread::current();
    let read = move || {
        let numbers = File::open(&path).and_then(|file| {
            let (mut reader, mut number) = (BufReader::new(file), [0; size_of::<i32>()]);
            let next = |_| reader.read_exact(&mut number).map(|()| i32::from_ne_bytes(number));
            (0..size).map(next).collect::<io::Result<Vec<i32>>>()
        });
        let _ = fs::remove_file(&path);
        asking.unpark();
        numbers
    };
    let reader = thread::Builder::new().spawn(read).map_err(Failure::Start)?;
    while !reader.is_finished() {
        if is_over() {
            return Ok(None);
        }
        thread::park_timeout(TICK);
    }
    reader.join().map_err(|_| Failure::NoModel)?.map(Some).map_err(Failure::File)
}
