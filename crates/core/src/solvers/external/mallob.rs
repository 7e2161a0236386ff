//! Mallob as it runs on a cluster: a job in JSON is moved into a directory, and its result appears in another.
//!
//! Of the directory of a client, such as `.api/jobs.0`, Mallob watches `in`, takes what appears there, and writes
//! `out/USER.NAME.json`. A long model is not in that file but in a pipe that it names, as integers of the machine.
//! A job that is given up is interrupted by a second file. When this process is killed, the job goes on until its
//! limit, and the file of the formula stays.
//!
//! Source: D. Schreiber, P. Sanders, *Scalable SAT Solving in the Cloud*, SAT 2021, LNCS 12831, pages 518–534, and the
//! page *Executing Mallob* of its documentation.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tinyjson::JsonValue;

use super::error::Failure;
use super::output::{Model, Output, Status, Tail};

/// The time between two looks for the result.
const TICK: Duration = Duration::from_millis(5);
/// The time in which a result that has appeared is to be whole.
const WHOLE: Duration = Duration::from_secs(2);
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
    name: String,
    directory: PathBuf,
    result: PathBuf,
}

impl Job {
    fn new(directory: &Path) -> Result<Self, Failure> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        for part in ["in", "out"] {
            if !directory.join(part).is_dir() {
                let text = format!("{} has no directory `{part}`", directory.display());
                return Err(Failure::Start(io::Error::new(io::ErrorKind::NotFound, text)));
            }
        }
        // Processes of other machines may have the same number; they did not start at the same nanosecond.
        let since = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos());
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("cnfkit-{}-{number}-{since}", std::process::id());
        let result = directory.join("out").join(format!("{USER}.{name}.json"));
        Ok(Self { name, directory: directory.to_owned(), result })
    }

    /// Where Mallob looks for a file.
    fn entry(&self, kind: &str) -> PathBuf {
        self.directory.join("in").join(format!("{}{kind}.json", self.name))
    }

    /// Moves a description into the directory, so that it appears there as a whole.
    fn submit(&self, kind: &str, description: &[(&str, JsonValue)]) -> Result<(), Failure> {
        let part = self.directory.join(format!("{}.part", self.name));
        let fields = description.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let text = JsonValue::from(fields.collect::<HashMap<_, _>>()).stringify();
        let text = text.map_err(|error| Failure::File(io::Error::other(error)))?;
        let moved = fs::write(&part, text).and_then(|()| fs::rename(&part, self.entry(kind)));
        moved.map_err(|error| {
            let _ = fs::remove_file(&part);
            Failure::File(error)
        })
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.entry(""));
        let _ = fs::remove_file(&self.result);
    }
}

/// Has the formula in `file` solved: true if there is a result, which `output` then has, false if `is_over` stopped it.
pub(super) fn run(
    directory: &Path,
    file: &Path,
    n_vars: usize,
    time_left: Option<Duration>,
    is_over: &dyn Fn() -> bool,
    output: &mut Output,
    tail: &mut Tail,
) -> Result<bool, Failure> {
    let job = Job::new(directory)?;
    let file = fs::canonicalize(file).map_err(Failure::File)?;
    let text = |text: &str| JsonValue::from(text.to_owned());
    let whose = [("application", text("SAT")), ("user", text(USER)), ("name", text(&job.name))];
    let mut description = whose.to_vec();
    description.push(("files", vec![text(&file.to_string_lossy())].into()));
    description.push(("priority", PRIORITY.into()));
    if let Some(left) = time_left {
        description.push(("wallclock-limit", text(&format!("{}s", left.as_secs().saturating_add(1)))));
    }
    job.submit("", &description)?;
    let mut seen = None::<Instant>;
    let result = loop {
        if is_over() {
            // One that Mallob has not taken is taken back.
            if fs::remove_file(job.entry("")).is_err() {
                let stop: Vec<_> = whose.into_iter().chain([("interrupt", true.into())]).collect();
                job.submit(".interrupt", &stop)?;
            }
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
        let numbers = match field::<Vec<JsonValue>>(Some(&result), "solution") {
            Some(numbers) => numbers.iter().map(|number| number.get::<f64>().map_or(i64::MAX, |&x| x as i64)).collect(),
            None => match piped(&result, n_vars, is_over)? {
                Some(numbers) => numbers,
                None => return Ok(false),
            },
        };
        output.model = model(&numbers, n_vars)?;
        output.is_complete = true;
    }
    Ok(true)
}

/// A field of an object, if there is one of this type.
fn field<'a, T: tinyjson::InnerAsRef>(object: Option<&'a HashMap<String, JsonValue>>, name: &str) -> Option<&'a T> {
    object?.get(name)?.get()
}

/// The model of literals; the first number is 0, as variables begin with 1.
fn model(numbers: &[i64], n_vars: usize) -> Result<Model, Failure> {
    let mut model = Model::default();
    for &number in numbers.iter().filter(|&&number| number != 0) {
        if number.unsigned_abs() > n_vars as u64 {
            return Err(Failure::Nonsense(number.to_string()));
        }
        model.set(number.unsigned_abs() as usize - 1, number > 0);
    }
    Ok(model)
}

/// The numbers in the pipe that a result names; none if `is_over` comes first. Opening a pipe waits for its writer, so
/// another thread does it.
fn piped(
    result: &HashMap<String, JsonValue>,
    n_vars: usize,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<Vec<i64>>, Failure> {
    let path = field::<String>(Some(result), "solution-file").ok_or(Failure::NoModel)?.clone();
    let size = field::<f64>(Some(result), "solution-size").and_then(|&size| u64::try_from(size as i64).ok());
    let size = size.filter(|&size| size <= n_vars as u64 + 1).ok_or(Failure::NoModel)?;
    let (sender, done) = mpsc::channel();
    let read = move || {
        let numbers = File::open(&path).and_then(|file| {
            let (mut reader, mut number) = (BufReader::new(file), [0; size_of::<i32>()]);
            let next = |_| reader.read_exact(&mut number).map(|()| i64::from(i32::from_ne_bytes(number)));
            (0..size).map(next).collect::<io::Result<Vec<i64>>>()
        });
        let _ = (sender.send(numbers), fs::remove_file(&path));
    };
    thread::Builder::new().spawn(read).map_err(Failure::Start)?;
    loop {
        match done.recv_timeout(TICK) {
            Ok(numbers) => return numbers.map(Some).map_err(Failure::File),
            Err(RecvTimeoutError::Disconnected) => return Err(Failure::NoModel),
            Err(RecvTimeoutError::Timeout) if is_over() => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
