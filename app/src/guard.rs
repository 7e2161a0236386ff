//! The headers that every request must have, and every answer has: only pages of this server ask, and what they show
//! stays here.
//!
//! A page from elsewhere can make a browser send requests to this server: by a name that its owner lets point here (DNS
//! rebinding), or straight to the address. The first is seen by `Host`, the second by `Origin`, which browsers send
//! with every POST.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The hosts by which this server may be called.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    names: Arc<[String]>,
    /// True if it listens beyond this machine: then every address is one of its own, as far as it knows.
    any_address: bool,
}

impl Hosts {
    /// `localhost`, loopback addresses and `names`; if `listen` is not a loopback address, all addresses.
    #[must_use]
    pub(crate) fn new(listen: IpAddr, names: &[String]) -> Self {
        Self { names: names.iter().map(|name| name.to_ascii_lowercase()).collect(), any_address: !listen.is_loopback() }
    }

    /// True if a request with this `Host` is meant for this server. Only a name can be made to point here by somebody
    /// else; an address cannot.
    #[must_use]
    pub(crate) fn allows(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
            _ => host,
        };
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        match bare.parse::<IpAddr>().or_else(|_| host.parse::<SocketAddr>().map(|address| address.ip())) {
            Ok(address) => address.is_loopback() || self.any_address,
            Err(_) => {
                let name = name.to_ascii_lowercase();
                name == "localhost" || self.names.contains(&name)
            }
        }
    }

    /// Nothing, if the request may be answered.
    ///
    /// # Errors
    /// 403 when it is meant for another host, or comes from a page of another origin.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let forbidden = |place: &str, error: String| Problem::new(StatusCode::FORBIDDEN, error).at(place);
        let host = text(header::HOST).unwrap_or_default();
        if !self.allows(host) {
            let error = format!(
                "`{}` is no host of this server; open it as http://localhost or by its address, or start it with \
                 `--name`",
                shown(host)
            );
            return Err(forbidden("Host", error));
        }
        match text(header::ORIGIN) {
            Some(origin) if origin.strip_prefix("http://") != Some(host) => {
                let error = format!("only pages of this server may ask it; this one is of `{}`", shown(origin));
                Err(forbidden("Origin", error))
            }
            _ => Ok(()),
        }
    }
}

/// The beginning of somebody else's text, for a message.
fn shown(text: &str) -> String {
    text.chars().take(60).flat_map(char::escape_debug).collect()
}

/// Checks a request, and gives every answer the headers.
pub(crate) async fn guard(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    let mut response = match hosts.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_others_are_refused_and_addresses_are_not() {
        let here = Hosts::new("127.0.0.1".parse().unwrap(), &["Mine.Example".into()]);
        for host in
            ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "[::1]", "mine.example:80", "LOCALHOST"]
        {
            assert!(here.allows(host), "{host}");
        }
        for host in
            ["", "evil.example", "localhost.evil.example:8080", "192.168.1.4:8080", "127.0.0.1.evil.example", "::"]
        {
            assert!(!here.allows(host), "{host}");
        }
        let open = Hosts::new("0.0.0.0".parse().unwrap(), &[]);
        assert!(open.allows("192.168.1.4:8080") && open.allows("[fe80::1]:8080") && !open.allows("evil.example:8080"));
    }
}
