//! `cnfkit-app`: see `--help`.

use std::process::ExitCode;

use clap::Parser;
use cnfkit_app::options::Options;
use cnfkit_app::serve;

fn main() -> ExitCode {
    let options = Options::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().worker_threads(2).build();
    let ended = runtime.map_err(|error| format!("no threads: {error}")).and_then(|runtime| {
        let ended = runtime.block_on(run(&options));
        // Questions on their way are stopped; none of them needs longer to notice.
        runtime.shutdown_timeout(std::time::Duration::from_secs(1));
        ended
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

async fn run(options: &Options) -> Result<(), String> {
    if let Some(warning) = options.warning() {
        eprintln!("{warning}");
    }
    let address = options.address();
    let listener = tokio::net::TcpListener::bind(address).await;
    let listener = listener.map_err(|error| format!("cannot listen on {address}: {error}; try another `--port`"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!("cnfkit is at http://{address}/ (Ctrl-C ends it)");
    if options.open {
        // A browser that does not start is no reason to end: the address is above.
        if let Err(error) = open::that_detached(format!("http://{address}/")) {
            eprintln!("warning: no browser was opened: {error}");
        }
    }
    let app = serve::app(options);
    let end = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    tokio::select! {
        never = serve::serve(listener, app) => match never {},
        () = end => Ok(()),
    }
}
