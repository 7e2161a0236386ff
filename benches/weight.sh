#!/usr/bin/env bash
# What a program that depends on cnfkit compiles: CPU and wall seconds of its release build from nothing, crates beside
# cnfkit's own, lines of cnfkit's Rust among them, and lines of LLVM IR of the program itself. Each build is also given
# relative to that of a program that depends on rustsat alone, in the same run: only the ratios can be compared between
# machines, or between runs on a busy one.
#
#     benches/weight.sh [NAME...]      only these rows: rustsat encodings structs sudoku full
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=("$@")
[ $# -gt 0 ] || rows=(rustsat encodings structs sudoku full)

cnfkit() { echo "cnfkit = { path = \"$root\"$1 }"; }
five_structs='
use cnfkit::{AtMostK, ClauseSink, Cnf, Constrain, Lit, Network, Pairwise, Product, SequentialCounter, Totalizer};

#[derive(Default)]
struct Lines(u32, u64);

impl ClauseSink for Lines {
    type Error = String;
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), String> {
        self.1 += clause.len() as u64;
        Ok(())
    }
    fn new_lit(&mut self) -> Lit {
        self.0 += 1;
        Lit::positive(self.0 - 1)
    }
    fn next_var(&self) -> cnfkit::Var {
        cnfkit::Var::new(self.0)
    }
}

fn main() {
    let (mut cnf, mut lines) = (Cnf::new(), Lines::default());
    let (x, y) = (cnf.new_lits(50), lines.new_lits(50));
    cnf.at_most_one(&x, Pairwise).unwrap();
    cnf.exactly_one(&x, Product::default()).unwrap();
    cnf.at_most(&x, 5, SequentialCounter::default()).unwrap();
    lines.at_least(&y, 7, Totalizer::default()).unwrap();
    lines.exactly(&y, 9, Network::default()).unwrap();
    println!("{} {} {}", cnf.n_clauses(), lines.1, Totalizer::default().amk_size(50, 5));
}'

printf '%-10s %9s %8s %7s %7s %9s %9s\n' dependent 'CPU s' 'rustsat' 'wall s' crates 'own lines' 'IR lines'
base=""
for row in "${rows[@]}"; do
    case $row in
        rustsat) deps='rustsat = "=0.7.5"' main='fn main() { println!("{}", rustsat::types::Lit::positive(0)); }' ;;
        encodings) deps=$(cnfkit ', default-features = false')
            main='use cnfkit::{CardEncoding, ClauseSink, Cnf, Constrain};
                fn main() {
                    let mut cnf = Cnf::new();
                    let x = cnf.new_lits(9);
                    cnf.at_most(&x, 3, CardEncoding::Auto).unwrap();
                    print!("{cnf}");
                }' ;;
        structs) deps=$(cnfkit ', default-features = false') main=$five_structs ;;
        sudoku) deps=$(cnfkit '') main='fn main() -> Result<(), Box<dyn std::error::Error>> {
                let grid: cnfkit::Grid = std::env::args().nth(1).ok_or("a grid")?.parse()?;
                println!("{}", cnfkit::SudokuEncoder::new(grid).solve()?.ok_or("none")?);
                Ok(())
            }' ;;
        full) deps=$(cnfkit ', features = ["full"]') main='fn main() { println!("{}", cnfkit::Size::ZERO); }' ;;
        *) echo "no such row: $row" >&2; exit 2 ;;
    esac
    mkdir -p "$work/$row/src"
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n%s\n' \
        "dependent" "$deps" >"$work/$row/Cargo.toml"
    echo "$main" >"$work/$row/src/main.rs"
    cd "$work/$row"
    cp "$root/Cargo.lock" .
    cargo fetch --quiet
    TIMEFORMAT='%R %U %S'
    took=$({ time cargo build --release --quiet >"$work/log" 2>&1; } 2>&1) || { cat "$work/log" >&2; exit 1; }
    read -r wall user sys <<<"$took"
    cpu=$(awk "BEGIN { print $user + $sys }")
    [ -n "$base" ] || base=$cpu
    tree=$(cargo tree --edges normal,build --prefix none --format '{p}' | sed 's/ (\*)$//' | sort -u)
    crates=$(grep -vc "^cnfkit\|^dependent" <<<"$tree")
    own=$(sed -n 's/^cnfkit[^(]*(\(.*\))$/\1/p' <<<"$tree" | sed 's/$/\/src/' | xargs -I{} find {} -name '*.rs' |
        xargs -r cat | wc -l)
    # The program alone, in one unit, so that nothing is counted twice.
    cargo rustc --release --quiet -- --emit=llvm-ir -Ccodegen-units=1 >"$work/log" 2>&1
    ir=$(cat target/release/deps/dependent-*.ll | wc -l)
    awk "BEGIN { printf \"%-10s %9.1f %7.2fx %7.1f %7d %9d %9d\\n\", \"$row\", $cpu, $cpu / $base, $wall, $crates, $own, $ir }"
    cd "$root"
    rm -rf "${work:?}/$row"
done
