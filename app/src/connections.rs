//! Connections: each is a task of its own, and has only so much time for the head of a request.
//!
//! A client that sends half a head, or nothing at all, would otherwise hold its connection for as long as it likes. The
//! body of a request is limited where it is read.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::serve::Listener;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

/// The time for the head of a request, from the first byte or from the answer before: a connection that is kept open
/// without a request ends after it, too.
const HEAD: Duration = Duration::from_secs(10);

/// Takes connections, one after the other, and answers what they ask.
pub(crate) async fn accept(mut listener: TcpListener, app: Router) -> Infallible {
    loop {
        // Tries again where no connection can be had, as when there are too many open.
        let (stream, _) = Listener::accept(&mut listener).await;
        let service = TowerToHyperService::new(app.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            // Whoever breaks off a connection needs no answer.
            let _ = connection.await;
        });
    }
}
