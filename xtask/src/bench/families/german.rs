//! German's cache coherence protocol: a home, clients, and a CPU that floods the clients.
//!
//! Requests that reach the home while it collects acknowledgements are parked.

use super::super::network::{Action, Local, Machine, at, receive, send};

pub(super) fn machines(clients: usize) -> Vec<Machine> {
    let mut machines = vec![home(clients)];
    machines.extend((0..clients).map(client));
    let asks = (0..clients)
        .flat_map(|i| ["askS", "askE"].map(|ask| ("CPU", send(&format!("Client{i}"), ask), "CPU")));
    machines.push(Machine::fixed("Cpu".to_owned(), &asks.collect::<Vec<_>>()));
    machines
}

/// The variables of the home. Sets of clients are bit masks.
#[derive(Clone, Copy)]
struct Home {
    /// Clients that hold the line.
    holders: usize,
    /// The client being served.
    current: usize,
    /// Clients still to be told to invalidate.
    to_tell: usize,
    /// Clients whose acknowledgement is missing.
    missing: usize,
    /// Two bits per client: a parked shared request, a parked exclusive one.
    parked: usize,
    /// 1 if the holder is exclusive.
    exclusive: usize,
    /// 1 if the request being served is exclusive.
    wants_exclusive: usize,
}

fn home(clients: usize) -> Machine {
    let none = Home {
        holders: 0,
        current: 0,
        to_tell: 0,
        missing: 0,
        parked: 0,
        exclusive: 0,
        wants_exclusive: 0,
    };
    Machine::expand("Home".to_owned(), none.at("ID"), |local| {
        let home = Home::from(local);
        match local.place {
            "ID" => home
                .requests(clients)
                .map(|(action, i, exclusive)| (action, home.serve(i, exclusive)))
                .collect(),
            "SN" => vec![home.tell()],
            "WT" => home.collect(clients),
            _ => vec![home.grant()],
        }
    })
}

impl Home {
    fn from(local: &Local<7>) -> Self {
        let [holders, current, to_tell, missing, parked, exclusive, wants_exclusive] = local.data;
        Self { holders, current, to_tell, missing, parked, exclusive, wants_exclusive }
    }

    fn at(self, place: &'static str) -> Local<7> {
        let Self { holders, current, to_tell, missing, parked, exclusive, wants_exclusive } = self;
        at(place, [holders, current, to_tell, missing, parked, exclusive, wants_exclusive])
    }

    /// Begins to serve a request: holders must be told unless everybody only reads.
    fn serve(self, current: usize, wants_exclusive: usize) -> Local<7> {
        let must_tell = wants_exclusive == 1 || self.exclusive == 1;
        let to_tell = if must_tell { self.holders } else { 0 };
        let place = if to_tell == 0 { "GR" } else { "SN" };
        Self { current, wants_exclusive, to_tell, missing: to_tell, ..self }.at(place)
    }

    fn tell(self) -> (Action, Local<7>) {
        let client = self.to_tell.trailing_zeros();
        let to_tell = self.to_tell & (self.to_tell - 1);
        let place = if to_tell == 0 { "WT" } else { "SN" };
        (send(&format!("Client{client}"), "inv"), Self { to_tell, ..self }.at(place))
    }

    /// The requests that may arrive: who waits for an answer does not ask again, and nobody asks for what
    /// he has. Listing the rest would change no count and only make the file longer.
    fn requests(self, clients: usize) -> impl Iterator<Item = (Action, usize, usize)> {
        let all = (0..clients).flat_map(|i| [("reqS", i, 0), ("reqE", i, 1)]);
        let possible = all.filter(move |&(_, i, exclusive)| {
            let waits = self.missing != 0 && i == self.current || self.parked & (3 << (2 * i)) != 0;
            let has = self.holders & (1 << i) != 0 && exclusive <= self.exclusive;
            !waits && !has
        });
        possible.map(|(kind, i, exclusive)| (receive(&format!("{kind}({i})")), i, exclusive))
    }

    /// Collects the missing acknowledgements and parks requests.
    fn collect(self, clients: usize) -> Vec<(Action, Local<7>)> {
        let mut steps = Vec::new();
        for i in 0..clients {
            if self.missing & (1 << i) != 0 {
                let missing = self.missing & !(1 << i);
                let holders = self.holders & !(1 << i);
                let next = if missing == 0 {
                    Self { holders, missing, exclusive: 0, ..self }.at("GR")
                } else {
                    Self { holders, missing, ..self }.at("WT")
                };
                steps.push((receive(&format!("iack({i})")), next));
            }
        }
        steps.extend(self.requests(clients).map(|(action, i, exclusive)| {
            let parked = self.parked | (1 << (2 * i + exclusive));
            (action, Self { parked, ..self }.at("WT"))
        }));
        steps
    }

    /// Grants the request being served and takes up the parked one of the lowest client, if any.
    fn grant(self) -> (Action, Local<7>) {
        let grant = if self.wants_exclusive == 1 { "gntE" } else { "gntS" };
        let action = send(&format!("Client{}", self.current), grant);
        let holders = self.holders | (1 << self.current);
        let served = Self {
            holders,
            current: 0,
            exclusive: self.wants_exclusive,
            wants_exclusive: 0,
            ..self
        };
        if self.parked == 0 {
            return (action, served.at("ID"));
        }
        let next = self.parked.trailing_zeros() as usize / 2;
        let wants_exclusive = (self.parked >> (2 * next + 1)) & 1;
        let parked = self.parked & !(3 << (2 * next));
        (action, Self { parked, ..served }.serve(next, wants_exclusive))
    }
}

fn client(me: usize) -> Machine {
    let home = |kind: &str| send("Home", &format!("{kind}({me})"));
    Machine::fixed(
        format!("Client{me}"),
        &[
            ("IN", receive("askS"), "RS"),
            ("IN", receive("askE"), "RE"),
            ("RS", home("reqS"), "WS"),
            ("RE", home("reqE"), "WE"),
            ("WS", receive("gntS"), "SH"),
            ("WS", receive("askS"), "WS"),
            ("WS", receive("askE"), "WS"),
            ("WE", receive("gntE"), "EX"),
            ("WE", receive("askS"), "WE"),
            ("WE", receive("askE"), "WE"),
            ("WE", receive("inv"), "AE"),
            ("AE", home("iack"), "WE"),
            ("SH", receive("askS"), "SH"),
            ("SH", receive("askE"), "RE"),
            ("SH", receive("inv"), "AK"),
            ("EX", receive("askS"), "EX"),
            ("EX", receive("askE"), "EX"),
            ("EX", receive("inv"), "AK"),
            ("AK", home("iack"), "IN"),
        ],
    )
}
