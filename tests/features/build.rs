//! Cargo looks at build dependencies only where there is something to build with them.

fn main() {}
