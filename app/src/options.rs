//! The arguments of the program.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use clap::Parser;

/// Shows cnfkit in the browser: Sudoku, Gem Hunter, encodings and models on one page.
///
/// The page is at <http://127.0.0.1:8080> unless other options say so, and stays on this machine.
#[derive(Clone, Debug, Parser)]
#[command(version)]
pub struct Options {
    /// The port; 0 takes a free one.
    #[arg(long, default_value_t = 8080)]
    pub port: u16,
    /// Opens the page in the browser.
    #[arg(long)]
    pub open: bool,
    /// Listens on this address instead of 127.0.0.1. Anybody who can reach another address can ask questions.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub listen: IpAddr,
    /// A name by which browsers may call this server, beside `localhost` and addresses; can be repeated.
    #[arg(long = "name", value_name = "HOST")]
    pub names: Vec<String>,
    /// Questions that are worked on at once, each on a thread of its own.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Memory that all questions together may take, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 1536)]
    #[arg(value_parser = clap::value_parser!(u32).range(64..=1 << 20))]
    pub memory: u32,
    /// Starts no other solvers: without it, those that are installed can be chosen on the page.
    #[arg(long)]
    pub no_engines: bool,
}

impl Options {
    /// Where to listen.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        SocketAddr::new(self.listen, self.port)
    }

    /// A warning to somebody who lets others in.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let address = self.listen;
        (!address.is_loopback()).then(|| {
            format!(
                "warning: --listen {address} lets every machine that can reach it ask questions, which take time and \
                 memory of this one; there is no password"
            )
        })
    }
}
