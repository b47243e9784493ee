//! Files that list the processes of a cluster.

use std::net::IpAddr;

use qp_base::{Code, Diagnostic, Source, Span};

/// The code of everything that is wrong with such a file.
pub const HOSTS_CODE: Code = Code(401);

/// The processes of a cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts {
    /// Where each process listens: `host:port`.
    pub addresses: Vec<String>,
}

/// More processes than this are a mistake: each of them talks to each other.
const PROCESSES_MAX: usize = 256;

/// Reads a file of addresses, one `host:port` in a line. Empty lines and what follows `#` do not count.
///
/// Addresses of other machines are refused unless `insecure` says that they are wanted: there is neither
/// authentication nor encryption.
pub fn read_hosts(
    name: &str,
    text: &str,
    insecure: bool,
) -> Result<Hosts, (Source, Vec<Diagnostic>)> {
    let mut wrong = Vec::new();
    let mut addresses: Vec<(&str, Span)> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or_default();
        let address = content.trim();
        let at = start + (content.len() - content.trim_start().len());
        start += line.len();
        if address.is_empty() {
            continue;
        }
        let span = Span::new(at..at + address.len());
        match fault(address, insecure) {
            Some(fault) => wrong.push(fault.at(span)),
            None => match addresses.iter().find(|(known, _)| *known == address) {
                Some((_, first)) => wrong.push(
                    Diagnostic::error(HOSTS_CODE, format!("{address} is listed twice"), span)
                        .label("again")
                        .also(*first, "first here")
                        .help("each process needs a port of its own"),
                ),
                None => addresses.push((address, span)),
            },
        }
    }
    if wrong.is_empty() {
        wrong.extend(wrong_number(&addresses));
    }
    if !wrong.is_empty() {
        return Err((Source::new(name, text), wrong));
    }
    Ok(Hosts { addresses: addresses.into_iter().map(|(address, _)| address.to_owned()).collect() })
}

/// Whether an address is of this machine alone.
pub fn is_loopback(address: &str) -> bool {
    let Some((host, _)) = address.rsplit_once(':') else { return false };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

struct Fault {
    message: String,
    label: &'static str,
    help: &'static str,
}

impl Fault {
    fn at(self, span: Span) -> Diagnostic {
        Diagnostic::error(HOSTS_CODE, self.message, span).label(self.label).help(self.help)
    }
}

/// What is wrong with an address.
fn fault(address: &str, insecure: bool) -> Option<Fault> {
    let shape = Fault {
        message: format!("{address} is not an address"),
        label: "expected host:port",
        help: "write it like 127.0.0.1:2101, localhost:2101 or [::1]:2101",
    };
    let Some((host, port)) = address.rsplit_once(':') else { return Some(shape) };
    let is_name = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let named = match bracketed {
        Some(ip) => ip.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.chars().all(is_name),
    };
    if !named {
        return Some(shape);
    }
    if !port.parse::<u16>().is_ok_and(|port| port > 0) {
        return Some(Fault {
            message: format!("{port} is not a port"),
            label: "expected a number from 1 to 65535 behind the colon",
            ..shape
        });
    }
    (!insecure && !is_loopback(address)).then(|| Fault {
        message: format!("{address} is not an address of this machine alone"),
        label: "whoever can reach it can join",
        help: "use ssh tunnels and addresses of 127.0.0.1, or say --insecure-cluster in a network that you trust",
    })
}

fn wrong_number(addresses: &[(&str, Span)]) -> Option<Diagnostic> {
    if addresses.is_empty() {
        let message = "no process is listed";
        let diagnostic = Diagnostic::error(HOSTS_CODE, message, Span::default());
        return Some(diagnostic.help("write one host:port in a line for each process"));
    }
    let (_, span) = addresses.get(PROCESSES_MAX)?;
    let message = format!("more than {PROCESSES_MAX} processes");
    Some(Diagnostic::error(HOSTS_CODE, message, *span).label("one too many"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, Vec<(String, String)>> {
        let place = |span: Span| text[span.range()].to_owned();
        read_hosts("hosts", text, false).map(|hosts| hosts.addresses).map_err(|(_, wrong)| {
            wrong.into_iter().map(|it| (it.message.clone(), place(it.primary.span))).collect()
        })
    }

    fn one(message: &str, place: &str) -> Result<Vec<String>, Vec<(String, String)>> {
        Err(vec![(message.to_owned(), place.to_owned())])
    }

    #[test]
    fn addresses_are_read_in_order() {
        let text = "# two here\nlocalhost:2101\n\n  127.0.0.1:2102 # the second\r\n[::1]:2103";
        let expected = ["localhost:2101", "127.0.0.1:2102", "[::1]:2103"].map(str::to_owned);
        assert_eq!(read(text), Ok(expected.to_vec()));
    }

    #[test]
    fn what_is_wrong_is_named_where_it_is() {
        assert_eq!(read("localhost"), one("localhost is not an address", "localhost"));
        assert_eq!(
            read("a:1\nlocalhost:0\n").map_err(|mut it| it.pop()),
            Err(Some(("0 is not a port".to_owned(), "localhost:0".to_owned())))
        );
        assert_eq!(read("a b:1"), one("a b:1 is not an address", "a b:1"));
        assert_eq!(read("::1:7"), one("::1:7 is not an address", "::1:7"));
        assert_eq!(read("localhost:70000"), one("70000 is not a port", "localhost:70000"));
        assert_eq!(read(" # nothing\n"), one("no process is listed", ""));
        let twice = read("localhost:1\n localhost:1");
        assert_eq!(twice, one("localhost:1 is listed twice", "localhost:1"));
    }

    #[test]
    fn other_machines_are_refused_unless_they_are_wanted() {
        let message = "10.0.0.7:2101 is not an address of this machine alone";
        assert_eq!(read("10.0.0.7:2101"), one(message, "10.0.0.7:2101"));
        let wanted = read_hosts("hosts", "10.0.0.7:2101\nnode-2.lan:2101", true);
        assert_eq!(wanted.map(|hosts| hosts.addresses.len()).ok(), Some(2));
    }
}
