//! Who may ask, and what every answer carries.

use axum::body::Body;
use axum::http::StatusCode;
use cnfkit_app::serve;

use super::tools::{Reply, get, options, post, request, send, server};

async fn with_headers(headers: &[(&str, &str)]) -> Reply {
    let mut request = axum::http::Request::builder().method("POST").uri("/api/sudoku/modes");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(server(), request.header("Content-Type", "application/json").body(Body::from("{}")).unwrap()).await
}

#[tokio::test]
async fn only_this_host_is_answered() {
    for host in ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080"] {
        assert_eq!(with_headers(&[("Host", host)]).await.status, StatusCode::OK, "{host}");
    }
    for host in ["evil.example", "evil.example:8080", "localhost.evil.example", "192.168.0.7:8080", ""] {
        let reply = with_headers(&[("Host", host)]).await;
        assert_eq!(reply.problem(), (403, Some("Host".into())), "{host}");
    }
    assert_eq!(with_headers(&[]).await.problem().0, 403);
}

#[tokio::test]
async fn only_pages_of_this_server_may_ask() {
    let host = ("Host", "127.0.0.1:8080");
    assert_eq!(with_headers(&[host, ("Origin", "http://127.0.0.1:8080")]).await.status, StatusCode::OK);
    for origin in
        ["http://evil.example", "http://127.0.0.1:9090", "http://localhost:8080", "https://127.0.0.1:8080", "null"]
    {
        let reply = with_headers(&[host, ("Origin", origin)]).await;
        assert_eq!(reply.problem(), (403, Some("Origin".into())), "{origin}");
    }
}

#[tokio::test]
async fn a_name_of_ones_own_and_an_address_that_is_listened_on_are_hosts() {
    let open = || serve::app(&options(&["--listen", "0.0.0.0", "--name", "puzzles.example"]));
    for host in ["192.168.0.7:8080", "puzzles.example:8080"] {
        let request = axum::http::Request::builder().uri("/api/health").header("Host", host).body(Body::empty());
        assert_eq!(send(open(), request.unwrap()).await.status, StatusCode::OK, "{host}");
    }
    let request = axum::http::Request::builder().uri("/").header("Host", "evil.example").body(Body::empty());
    assert_eq!(send(open(), request.unwrap()).await.status, StatusCode::FORBIDDEN);
    assert!(options(&["--listen", "0.0.0.0"]).warning().unwrap().contains("0.0.0.0"));
    assert_eq!(options(&[]).warning(), None);
    assert_eq!(options(&["--listen", "::1"]).warning(), None);
}

#[tokio::test]
async fn every_answer_has_the_headers() {
    let refused = with_headers(&[("Host", "evil.example")]).await;
    for reply in [get("/").await, get("/api").await, get("/nothing").await, post("sudoku/modes", "{").await, refused] {
        let policy = reply.header("content-security-policy");
        for part in
            ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]
        {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe"));
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
        assert_eq!(reply.header("access-control-allow-origin"), "");
    }
}

#[tokio::test]
async fn files_of_the_page_have_types_and_tags() {
    let page = get("/").await;
    assert_eq!((page.status, page.header("content-type")), (StatusCode::OK, "text/html; charset=utf-8"));
    let tag = page.header("etag").to_owned();
    assert!(tag.len() > 10);
    let again = request("GET", "/").header("If-None-Match", &tag).body(Body::empty()).unwrap();
    let again = send(server(), again).await;
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
    let other = request("GET", "/").header("If-None-Match", "\"other\"").body(Body::empty()).unwrap();
    assert_eq!(send(server(), other).await.status, StatusCode::OK);
    // Whatever the page loads is there.
    let html = page.text();
    let files: Vec<&str> = html.split(['"', '\'']).filter(|part| part.starts_with("/page/")).collect();
    assert!(!files.is_empty());
    for file in files {
        let reply = get(file).await;
        assert_eq!(reply.status, StatusCode::OK, "{file}");
        let kind = match file.rsplit_once('.').unwrap().1 {
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            other => panic!("{other} has no type here"),
        };
        assert_eq!(reply.header("content-type"), kind, "{file}");
    }
    assert!(!html.contains("<script>") && !html.contains(" style="), "the policy forbids both");
}

#[tokio::test]
async fn there_is_no_other_file() {
    for path in [
        "/page/../Cargo.toml",
        "/page/..%2fCargo.toml",
        "/page//etc/passwd",
        "/page/%2fetc%2fpasswd",
        "/page/",
        "/page/nothing.js",
    ] {
        let reply = get(path).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}: {}", reply.text());
    }
}
