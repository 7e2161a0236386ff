//! The server under load, on this machine: 1,000 Sudokus over 16 connections, questions past their limit, memory.
//!
//! `cargo run --release -p cnfkit-app --example load`. Server and client are one process, whose memory is that of both.
//! With `--class 30 --seconds 120` thirty pupils use all tabs for two minutes instead, with pauses to think.

use std::collections::BTreeMap;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use cnfkit::{Layout, SudokuEncoder};
use cnfkit_app::options::Options;
use cnfkit_app::serve;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// How much to ask.
#[derive(Parser)]
struct Args {
    /// Sudokus of side 9 whose times are told.
    #[arg(long, default_value_t = 1000)]
    solves: usize,
    /// Connections that ask at the same time.
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// Requests while memory is looked at.
    #[arg(long, default_value_t = 10_000)]
    requests: usize,
    /// Pupils who use the page at the same time, instead of all that.
    #[arg(long)]
    class: Option<u64>,
    /// How long they do.
    #[arg(long, default_value_t = 120)]
    seconds: u64,
}

type Anything = Box<dyn Error + Send + Sync>;

/// A connection that stays open.
struct Client {
    stream: BufReader<TcpStream>,
    host: SocketAddr,
}

impl Client {
    async fn new(host: SocketAddr) -> Result<Self, Anything> {
        let stream = TcpStream::connect(host).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), host })
    }

    /// Status and answer.
    async fn ask(&mut self, question: &str, body: &str) -> Result<(u16, Vec<u8>), Anything> {
        let request = format!(
            "POST /api/{question} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        let mut line = String::new();
        self.stream.read_line(&mut line).await?;
        let status = line.split(' ').nth(1).ok_or("no status")?.parse()?;
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line).await?;
            if line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse()?;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer).await?;
        Ok((status, answer))
    }
}

/// Resident memory of this process, in MiB.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

#[tokio::main]
async fn main() -> Result<(), Anything> {
    let args = Args::parse();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let host = listener.local_addr()?;
    tokio::spawn(serve::serve(listener, serve::app(&Options::parse_from(["cnfkit-app"]))));
    if let Some(pupils) = args.class {
        return class(host, pupils, Duration::from_secs(args.seconds)).await;
    }

    let puzzles = puzzles(args.solves)?;
    let (mut times, errors, took) = solve_all(host, &puzzles, args.solves, args.connections).await?;
    let rate = args.solves as f64 / took.as_secs_f64();
    println!(
        "{} Sudokus over {} connections: {errors} errors, {rate:.0} a second, {}",
        args.solves,
        args.connections,
        spread(&mut times)
    );

    past_the_limit(host).await?;

    println!("memory before {} requests: {:.1} MiB", args.requests, memory());
    for part in 1..=10 {
        let (_, errors, _) = solve_all(host, &puzzles, args.requests / 10, args.connections).await?;
        println!("memory after {:>6} requests: {:.1} MiB, {errors} errors", args.requests / 10 * part, memory());
    }
    Ok(())
}

/// The middle, the slowest of a hundred and the slowest of some times.
fn spread(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    format!("p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms", at(50), at(99), at(100))
}

/// Each pupil asks about a Sudoku, a board, an encoding or a model, thinks for one to three seconds, and asks again.
async fn class(host: SocketAddr, pupils: u64, time: Duration) -> Result<(), Anything> {
    let end = Instant::now() + time;
    let mut tasks = Vec::new();
    for pupil in 0..pupils {
        tasks.push(tokio::spawn(async move {
            let mut client = Client::new(host).await?;
            let (mut asked, mut refused) = (Vec::new(), 0);
            for turn in 0_u64.. {
                let number = pupil * 7919 + turn * 104_729;
                tokio::time::sleep(Duration::from_millis(1000 + number % 2000)).await;
                if Instant::now() >= end {
                    break;
                }
                let (question, body) = wish(turn + pupil, number);
                let start = Instant::now();
                let (status, _) = client.ask(question, &body.to_string()).await?;
                asked.push((question, start.elapsed()));
                refused += usize::from(status != 200);
            }
            Ok::<_, Anything>((asked, refused))
        }));
    }
    let (mut kinds, mut all, mut refused) = (BTreeMap::<_, Vec<_>>::new(), Vec::new(), 0);
    for task in tasks {
        let (asked, wrong) = task.await??;
        refused += wrong;
        for (question, took) in asked {
            kinds.entry(question).or_default().push(took);
            all.push(took);
        }
    }
    println!("{pupils} pupils, {} s: {} questions, {refused} refused", time.as_secs(), all.len());
    for (question, times) in kinds.iter_mut().chain([(&"all", &mut all)]) {
        println!("{question:18} {:4} of them, {}", times.len(), spread(times));
    }
    println!("memory at the end: {:.1} MiB", memory());
    Ok(())
}

/// A question as a pupil asks it.
fn wish(kind: u64, seed: u64) -> (&'static str, Value) {
    let cells = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let row = |row: &[u8]| -> Vec<u8> { row.iter().map(|sign| if *sign == b'.' { 0 } else { sign - b'0' }).collect() };
    let rows: Vec<Vec<u8>> = cells.as_bytes().chunks(9).map(row).collect();
    let sheet = json!({ "n": 9, "cells": rows });
    let boards = json!({ "rows": 16, "columns": 30, "density": 0.2, "shown": 0.5, "seed": seed });
    let board = json!({ "lines": ["____1001222_", "_1__2_01__2_", "_______1___2", "1_2_21_12_2_", "1___11____42"] });
    match kind % 8 {
        0 => ("sudoku/new", json!({ "mode": "9", "difficulty": "medium", "seed": seed })),
        1 => ("sudoku/hint", json!({ "sheet": sheet })),
        2 => ("sudoku/solve", json!({ "sheet": sheet })),
        3 => ("sudoku/candidates", json!({ "sheet": sheet, "exact": true })),
        4 => ("gem/new", boards),
        5 => ("gem/deduce", json!({ "board": board, "probabilities": true })),
        6 => ("encodings/clauses", json!({ "encoding": "card:totalizer", "relation": "at_most", "k": 2, "n": 8 })),
        _ => ("model/solve", json!({ "name": "queens", "parameters": { "n": 8 } })),
    }
}

/// Puzzles of side 9, each as a question.
fn puzzles(count: usize) -> Result<Vec<String>, Anything> {
    let layout = Layout::boxes(3, 3);
    let puzzle = |seed: u64| {
        let grid = SudokuEncoder::generate_minimal(&layout, seed)?.ok_or("no puzzle")?;
        let cells: Vec<&[u16]> = grid.cells().chunks(9).collect();
        Ok(json!({ "sheet": { "n": 9, "cells": cells, "regions": "boxes:3x3" } }).to_string())
    };
    (0..count as u64).map(puzzle).collect()
}

/// Asks about one puzzle after the other, over so many connections; the time of each, errors, and the whole time.
async fn solve_all(
    host: SocketAddr,
    puzzles: &[String],
    count: usize,
    connections: usize,
) -> Result<(Vec<Duration>, usize, Duration), Anything> {
    let next = Arc::new(AtomicUsize::new(0));
    let begin = Instant::now();
    let mut tasks = Vec::new();
    for _ in 0..connections {
        let (next, puzzles) = (Arc::clone(&next), puzzles.to_vec());
        tasks.push(tokio::spawn(async move {
            let mut client = Client::new(host).await?;
            let (mut times, mut errors) = (Vec::new(), 0);
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= count {
                    return Ok::<_, Anything>((times, errors));
                }
                let start = Instant::now();
                let (status, answer) = client.ask("sudoku/solve", &puzzles[at % puzzles.len()]).await?;
                times.push(start.elapsed());
                let answer: Value = serde_json::from_slice(&answer)?;
                errors += usize::from(status != 200 || answer["unique"] != true);
            }
        }));
    }
    let (mut times, mut errors) = (Vec::new(), 0);
    for task in tasks {
        let (some, wrong) = task.await??;
        times.extend(some);
        errors += wrong;
    }
    Ok((times, errors, begin.elapsed()))
}

/// Questions that take far longer than they may: the values of each cell in all 36 × 36 Sudokus.
async fn past_the_limit(host: SocketAddr) -> Result<(), Anything> {
    for limit in [100, 500, 2000] {
        let question = json!({ "sheet": { "n": 36 }, "exact": true, "limit_ms": limit }).to_string();
        let mut client = Client::new(host).await?;
        let start = Instant::now();
        let (status, _) = client.ask("sudoku/candidates", &question).await?;
        let took = start.elapsed().as_secs_f64() * 1e3;
        println!("a question with a limit of {limit} ms ends with {status} after {took:.0} ms");
    }
    Ok(())
}
