//! The program as a process of its own: its memory under the largest questions, clients that never finish what they
//! began to say, and engines.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cnfkit::Cnf;
use serde_json::{Value, json};

/// The program, which ends with the test.
struct Program {
    child: Child,
    address: String,
}

impl Program {
    fn start() -> Self {
        Self::run(&mut Command::new(env!("CARGO_BIN_EXE_cnfkit-app")))
    }

    fn run(command: &mut Command) -> Self {
        let mut child = command.args(["--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap().to_owned();
        Self { child, address }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// A connection on which this was sent.
    fn say(&self, text: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    /// A connection on which this question was asked.
    fn ask(&self, name: &str, question: &Value) -> TcpStream {
        let (host, body) = (&self.address, question.to_string());
        self.say(&format!(
            "POST /api/{name} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            body.len()
        ))
    }

    fn get(&self, path: &str) -> Value {
        let host = &self.address;
        json_of(&all_of(self.say(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))))
    }

    /// The status of the answer to a question, and the answer.
    fn answer(&self, name: &str, question: &Value) -> (u16, Value) {
        let answer = all_of(self.ask(name, question));
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), json_of(&answer))
    }

    /// The number of questions that are being worked on.
    fn running(&self) -> u64 {
        self.get("/api/health")["running"].as_u64().unwrap()
    }

    /// A field of its status that is in KiB, in MiB.
    fn memory(&self, field: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':')).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn all_of(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    // A connection that is reset has ended, too.
    let _ = stream.read_to_end(&mut text);
    String::from_utf8(text).unwrap()
}

fn json_of(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").expect(answer).1).expect(answer)
}

/// A 100 × 100 with one cell in 37 given, which no solver answers within minutes.
fn large() -> Value {
    let value = |row: usize, col: usize| ((row % 10 * 10 + row / 10 + col) % 100 * 37 + 11) % 100 + 1;
    let cell = |row, col| if (row * 100 + col) % 37 == 0 { value(row, col) } else { 0 };
    let cells: Vec<Vec<usize>> = (0..100).map(|row| (0..100).map(|col| cell(row, col)).collect()).collect();
    json!({ "sheet": { "n": 100, "cells": cells }, "limit_ms": 120_000 })
}

/// The most resident memory of the process, in MiB.
const MOST: u64 = 2048;

fn eight_of_side_100(seconds: u64) {
    let program = Program::start();
    let mut open: Vec<TcpStream> = (0..8).map(|_| program.ask("sudoku/solve", &large())).collect();
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut most_running = 0;
    while Instant::now() < end {
        let running = program.running();
        most_running = running.max(most_running);
        assert!(program.memory("VmHWM") < MOST, "{} MiB with {running} questions", program.memory("VmHWM"));
        // Others are answered meanwhile.
        let small = json!({ "sheet": { "n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]] } });
        let answer = all_of(program.ask("sudoku/solve", &small));
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        std::thread::sleep(Duration::from_millis(200));
    }
    println!("{} MiB at most, {} MiB at the end", program.memory("VmHWM"), program.memory("VmRSS"));
    assert!(most_running > 0, "no question of this size is worked on at all");
    // Whoever was refused knows why, and when to come again.
    let mut refused = 0;
    open.retain(|stream| {
        stream.set_nonblocking(true).unwrap();
        let waits = stream.peek(&mut [0]).is_err();
        stream.set_nonblocking(false).unwrap();
        if !waits {
            let answer = all_of(stream.try_clone().unwrap());
            assert!(answer.starts_with("HTTP/1.1 503") && answer.to_lowercase().contains("retry-after: 5"), "{answer}");
            assert!(json_of(&answer)["error"].as_str().unwrap().contains("ask again"), "{answer}");
            refused += 1;
        }
        waits
    });
    // In a few seconds all but one, and that one once its solver has learnt as much as there is room for.
    assert!(refused >= 7, "{refused} of 8 were refused");
    println!("{refused} of 8 refused");
}

#[test]
fn a_large_question_that_is_cancelled_leaves_its_place() {
    let program = Program::start();
    let asked = program.ask("sudoku/solve", &large());
    let start = Instant::now();
    while program.running() == 0 {
        assert!(start.elapsed() < Duration::from_secs(20), "it is not begun");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(program.running(), 1);
    let cancelled = Instant::now();
    drop(asked);
    while program.running() > 0 {
        assert!(cancelled.elapsed() < Duration::from_secs(5), "it still runs");
        std::thread::sleep(Duration::from_millis(20));
    }
    println!("its place is free after {:?}", cancelled.elapsed());
}

#[test]
#[cfg(target_os = "linux")]
fn eight_questions_of_side_100_stay_within_two_gib() {
    eight_of_side_100(15);
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "two minutes"]
fn eight_questions_of_side_100_stay_within_two_gib_for_two_minutes() {
    eight_of_side_100(118);
}

#[test]
fn half_a_question_is_not_waited_for() {
    let program = Program::start();
    let start = Instant::now();
    let half = "POST /api/sudoku/solve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let heads: Vec<TcpStream> = (0..500).map(|_| program.say(half)).collect();
    let bodies: Vec<TcpStream> =
        (0..10).map(|_| program.say(&format!("{half}Content-Length: 1000\r\n\r\n{{\"sheet\""))).collect();
    // Others are answered meanwhile.
    let asked = Instant::now();
    assert_eq!(program.running(), 0);
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    for head in heads {
        let answer = all_of(head);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
    assert!(start.elapsed() < Duration::from_secs(14), "{:?}", start.elapsed());
    for body in bodies {
        let answer = all_of(body);
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        assert!(json_of(&answer)["error"].as_str().unwrap().contains("did not arrive"), "{answer}");
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// This test as an engine, where it is told a formula.
#[test]
fn solves_what_it_is_given() {
    let Ok(file) = std::env::var("CNFKIT_TEST_FORMULA") else { return };
    match Cnf::from_dimacs(BufReader::new(File::open(file).unwrap())).unwrap().solve().unwrap() {
        None => println!("\ns UNSATISFIABLE"),
        Some(model) => {
            println!("\ns SATISFIABLE");
            model.iter().for_each(|lit| println!("v {}", lit.to_ipasir()));
            println!("v 0");
        }
    }
}

/// The end of the command line of an engine that does not answer, and of no other.
const SLEEPS: &[u8] = b"sleep\x0031415.9\0";

/// A folder with programs that have names of engines, and with all that a shell needs for them.
fn engines(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("engines {test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for name in ["sh", "sleep", "rm"] {
        std::os::unix::fs::symlink(Path::new("/bin").join(name), folder.join(name)).unwrap();
    }
    let this = std::env::current_exe().unwrap();
    let solves = format!(
        "for file; do :; done\nCNFKIT_TEST_FORMULA=$file exec '{}' --exact solves_what_it_is_given --nocapture",
        this.display()
    );
    for (name, script, mode) in [
        ("cadical", &*solves, 0o755),
        ("kissat", "exec sleep 31415.9", 0o755),
        ("minisat", "echo out of memory; exit 1", 0o755),
        ("picosat", "echo s SATISFIABLE; echo v 0", 0o755),
        ("lingeling", "no program", 0o644),
    ] {
        let mut file = File::create(folder.join(name)).unwrap();
        write!(file, "#!/bin/sh\n{script}\n").unwrap();
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
    }
    folder
}

fn with_engines(test: &str, arguments: &[&str]) -> Program {
    Program::run(Command::new(env!("CARGO_BIN_EXE_cnfkit-app")).env("PATH", engines(test)).args(arguments))
}

#[test]
#[cfg(unix)]
fn engines_answer_the_questions_that_take_one() {
    let program = with_engines("answer", &[]);
    let list = program.get("/api/engines");
    assert_eq!(list["engines"], json!(["cadical", "kissat", "minisat", "picosat"]));
    assert_eq!(list["questions"], json!(["sudoku/solve", "gem/solve", "model/solve"]));

    let queens = |n: u32| json!({ "name": "queens", "parameters": { "n": n }, "engine": "cadical" });
    let (status, answer) = program.answer("model/solve", &queens(6));
    assert_eq!((status, answer["solution"]["columns"].as_array().unwrap().len()), (200, 6), "{answer}");
    assert_eq!(program.answer("model/solve", &queens(3)).1["solution"], Value::Null);
    let (_, answer) = program.answer("model/solve", &json!({ "name": "knapsack", "engine": "cadical" }));
    assert!(answer["solution"]["text"].as_str().unwrap().contains("worth 188: nothing is worth more"), "{answer}");
    let sheet = json!({ "n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]] });
    let (_, answer) = program.answer("sudoku/solve", &json!({ "sheet": sheet, "engine": "cadical" }));
    assert_eq!((&answer["solution"][0], &answer["unique"]), (&json!([1, 3, 2, 4]), &json!(true)), "{answer}");
    let board = json!({ "text": "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _" });
    let (_, answer) = program.answer("gem/solve", &json!({ "board": board, "engine": "cadical" }));
    assert!(answer["cells"].to_string().contains("\"T\""), "{answer}");
    let (status, _) = program.answer("gem/solve", &json!({ "board": board, "engine": null }));
    assert_eq!(status, 200);

    for (engine, why) in [("minisat", "broke off"), ("picosat", "gave an answer that breaks the rules")] {
        let (status, answer) = program.answer("model/solve", &json!({ "name": "queens", "engine": engine }));
        assert_eq!((status, &answer["where"]), (502, &json!("engine")), "{answer}");
        assert!(answer["error"].as_str().unwrap().starts_with(&format!("the engine {why}")), "{answer}");
    }
    let (_, answer) = program.answer("model/solve", &json!({ "name": "queens", "engine": "minisat" }));
    assert!(answer["error"].as_str().unwrap().contains("it said is `out of memory`; choose another"), "{answer}");
    let text = json!("sh -c 'touch /tmp/no' {file}");
    for engine in [json!("lingeling"), json!("glucose"), json!(7), json!(["cadical"]), text] {
        let (status, answer) = program.answer("model/solve", &json!({ "name": "queens", "engine": engine }));
        assert_eq!((status, &answer["where"]), (422, &json!("engine")), "{answer}");
    }
    let (status, _) = program.answer("sudoku/check", &json!({ "sheet": sheet, "engine": "cadical" }));
    assert_eq!(status, 422, "it takes no engine");
}

/// Waits until there are as many engines that do not answer: the time that this took.
#[cfg(target_os = "linux")]
fn sleeping(wanted: usize) -> Duration {
    let start = Instant::now();
    let is_one = |folder: &Path| fs::read(folder.join("cmdline")).is_ok_and(|words| words.ends_with(SLEEPS));
    while fs::read_dir("/proc").unwrap().filter(|entry| is_one(&entry.as_ref().unwrap().path())).count() != wanted {
        assert!(start.elapsed() < Duration::from_secs(10), "there are not {wanted} engines");
        std::thread::sleep(Duration::from_millis(5));
    }
    start.elapsed()
}

#[test]
#[cfg(target_os = "linux")]
fn engines_end_with_their_question_and_with_the_server() {
    let program = with_engines("end", &[]);
    let question = |limit: u32| json!({ "name": "queens", "engine": "kissat", "limit_ms": limit });
    let (status, answer) = program.answer("model/solve", &question(500));
    assert_eq!((status, &answer["where"]), (504, &json!("limit_ms")), "{answer}");
    sleeping(0);
    while program.running() > 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Four have the memory of all questions.
    let mut asked: Vec<TcpStream> = (0..4).map(|_| program.ask("model/solve", &question(60_000))).collect();
    sleeping(4);
    let (status, answer) = program.answer("model/solve", &question(60_000));
    assert_eq!(status, 503, "{answer}");
    asked.truncate(1);
    println!("gone {:?} after a cancel", sleeping(1));
    drop(program);
    println!("gone {:?} after the server", sleeping(0));
}

#[test]
fn there_are_no_engines_where_none_are_wanted() {
    let program = with_engines("none", &["--no-engines"]);
    assert_eq!(program.get("/api/engines")["engines"], json!([]));
    let (status, answer) = program.answer("model/solve", &json!({ "name": "queens", "engine": "cadical" }));
    assert_eq!((status, &answer["where"]), (422, &json!("engine")), "{answer}");
}
