//! The server under load, on this machine: 1,000 Sudokus over 16 connections, questions past their limit, memory.
//!
//! `cargo run --release -p cnfkit-app --example load`. Server and client are one process, whose memory is that of both.

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

    let puzzles = puzzles(args.solves)?;
    let (mut times, errors, took) = solve_all(host, &puzzles, args.solves, args.connections).await?;
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    println!(
        "{} Sudokus over {} connections: {errors} errors, {:.0} a second, p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
        args.solves,
        args.connections,
        args.solves as f64 / took.as_secs_f64(),
        at(50),
        at(99),
        at(100)
    );

    past_the_limit(host).await?;

    println!("memory before {} requests: {:.1} MiB", args.requests, memory());
    for part in 1..=10 {
        let (_, errors, _) = solve_all(host, &puzzles, args.requests / 10, args.connections).await?;
        println!("memory after {:>6} requests: {:.1} MiB, {errors} errors", args.requests / 10 * part, memory());
    }
    Ok(())
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
