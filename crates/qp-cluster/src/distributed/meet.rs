//! How processes find each other: each listens at its own address and calls those before it in the list.
//!
//! Both sides of a connection say who they are and what they were asked. Nobody goes on with somebody who was
//! asked something else.

use std::fmt;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// The connections to all other processes.
pub struct Joined {
    /// One for each process; none for this one.
    pub(super) sockets: Vec<Option<TcpStream>>,
    pub(super) index: usize,
}

/// Why a process is alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotJoined(pub String);

impl fmt::Display for NotJoined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotJoined {}

/// Says that this is a cluster of ours, and which version of its language is spoken.
const MAGIC: u64 = 0x5150_636C_7573_0001;
/// How long who calls may take to say who it is.
const GREETING: Duration = Duration::from_secs(1);
const NAP: Duration = Duration::from_millis(20);
/// How long one attempt to reach another process may take.
const CALL: Duration = Duration::from_millis(500);

/// Meets the other processes of a cluster. `digest` stands for everything that all processes must agree on.
pub fn join(
    addresses: &[String],
    index: usize,
    digest: u64,
    patience: Duration,
) -> Result<Joined, NotJoined> {
    let mut sockets: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    if addresses.len() == 1 {
        return Ok(Joined { sockets, index });
    }
    let deadline = Instant::now() + patience;
    let me = Greeting { index: index as u64, processes: addresses.len() as u64, digest };
    let listener = listen(&addresses[index], deadline)?;
    loop {
        for (other, socket) in sockets.iter_mut().enumerate().take(index) {
            if socket.is_none() {
                *socket = call(&addresses[other], other, &me, deadline)?;
            }
        }
        while let Some((other, socket)) = answer(&listener, &me)? {
            sockets[other] = Some(socket);
        }
        let missing = |other: &usize| *other != index && sockets[*other].is_none();
        let Some(other) = (0..sockets.len()).find(missing) else {
            return Ok(Joined { sockets, index });
        };
        if Instant::now() >= deadline {
            let (address, seconds) = (&addresses[other], patience.as_secs());
            return Err(NotJoined(format!(
                "process {other} at {address} did not join within {seconds} seconds"
            )));
        }
        std::thread::sleep(NAP);
    }
}

/// Addresses of this machine at which nobody listens now.
pub fn free_addresses(n: usize) -> Result<Vec<String>, NotJoined> {
    let failed = |error: std::io::Error| NotJoined(format!("there is no free port: {error}"));
    let listen = |_| TcpListener::bind(("127.0.0.1", 0)).map_err(failed);
    // All at once, so that they differ.
    let listeners = (0..n).map(listen).collect::<Result<Vec<TcpListener>, NotJoined>>()?;
    let address = |listener: &TcpListener| listener.local_addr().map(|it| it.to_string());
    listeners.iter().map(|listener| address(listener).map_err(failed)).collect()
}

fn listen(address: &str, deadline: Instant) -> Result<TcpListener, NotJoined> {
    loop {
        let bound = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        });
        match bound {
            Ok(listener) => return Ok(listener),
            // Somebody may be about to leave it.
            Err(error) if error.kind() == ErrorKind::AddrInUse && Instant::now() < deadline => {
                std::thread::sleep(NAP);
            }
            Err(error) => {
                return Err(NotJoined(format!("this process cannot listen at {address}: {error}")));
            }
        }
    }
}

/// Calls another process. It may not be there yet.
fn call(
    address: &str,
    other: usize,
    me: &Greeting,
    deadline: Instant,
) -> Result<Option<TcpStream>, NotJoined> {
    let resolved = address.to_socket_addrs();
    let places: Vec<SocketAddr> = resolved.map(Iterator::collect).unwrap_or_default();
    let reached = places.iter().find_map(|place| TcpStream::connect_timeout(place, CALL).ok());
    let Some(mut socket) = reached else { return Ok(None) };
    // It is there; it may have to wait for others before it answers.
    let left = deadline.saturating_duration_since(Instant::now()).max(NAP);
    let greeted = me.greet(&mut socket).and_then(|()| Greeting::hear(&mut socket, left));
    let Ok(Some(them)) = greeted else { return Ok(None) };
    me.compare(&them, other)?;
    if them.index == other as u64 { Ok(Some(socket)) } else { Ok(None) }
}

/// Answers one call, if there is one. Who is none of us is not answered.
fn answer(listener: &TcpListener, me: &Greeting) -> Result<Option<(usize, TcpStream)>, NotJoined> {
    let Ok((mut socket, _)) = listener.accept() else { return Ok(None) };
    let heard = socket.set_nonblocking(false).and_then(|()| Greeting::hear(&mut socket, GREETING));
    let Ok(Some(them)) = heard else { return Ok(None) };
    // They are told first: who was asked something else must hear it, too.
    let told = me.greet(&mut socket);
    me.compare(&them, them.index as usize)?;
    let known = them.index > me.index && them.index < me.processes;
    Ok((told.is_ok() && known).then_some((them.index as usize, socket)))
}

/// What processes tell each other first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Greeting {
    index: u64,
    processes: u64,
    digest: u64,
}

impl Greeting {
    fn greet(&self, socket: &mut TcpStream) -> std::io::Result<()> {
        let mut bytes = Vec::new();
        for number in [MAGIC, self.index, self.processes, self.digest] {
            bytes.extend(number.to_be_bytes());
        }
        socket.set_nodelay(true)?;
        socket.write_all(&bytes)
    }

    /// Nothing if it is not a greeting.
    fn hear(socket: &mut TcpStream, patience: Duration) -> std::io::Result<Option<Self>> {
        socket.set_read_timeout(Some(patience))?;
        let mut numbers = [0; 4];
        for number in &mut numbers {
            let mut bytes = [0; 8];
            socket.read_exact(&mut bytes)?;
            *number = u64::from_be_bytes(bytes);
        }
        socket.set_read_timeout(None)?;
        let [magic, index, processes, digest] = numbers;
        Ok((magic == MAGIC).then_some(Self { index, processes, digest }))
    }

    fn compare(&self, them: &Self, other: usize) -> Result<(), NotJoined> {
        if them.processes != self.processes {
            return Err(NotJoined(format!(
                "process {other} has a list of {} processes, and this one of {}",
                them.processes, self.processes
            )));
        }
        if them.digest != self.digest {
            return Err(NotJoined(format!(
                "process {other} has another model, other options or another version of Queueproof"
            )));
        }
        Ok(())
    }
}
