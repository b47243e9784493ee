//! Declarations outside machines.

use qp_base::Span;
use qp_machines::{Capacity, Discipline, Loss, QueueKind};

use crate::codes;
use crate::names::{did_you_mean, quoted};

use super::super::ast::{Bad, Channel, Condition, Ltl, QueueName, Size};
use super::super::lexer::{ITEMS, Token};
use super::Parser;

const SIZE_HELP: &str =
    "a size is a number, `unbounded` or `rendezvous`, then `lossy` or `drop` if needed";
const SEMICOLON_HELP: &str = "declarations outside machines end with `;`";

impl<'t> Parser<'t> {
    /// One declaration.
    pub(super) fn item(&mut self) -> Option<()> {
        match self.cursor.peek()? {
            Token::Queues => self.discipline(),
            Token::Capacity => {
                self.cursor.bump();
                let size = self.size()?;
                self.file.capacities.push(size);
                self.semicolon()
            }
            Token::Channel => self.channels(),
            Token::Queue => {
                self.cursor.bump();
                let queue = self.queue_name("a machine")?;
                let size = self.size()?;
                self.file.queues.push((queue, size));
                self.semicolon()
            }
            Token::Machine => self.machine(),
            Token::Bad => self.bad(),
            Token::Ltl => self.ltl(),
            _ => {
                let help = did_you_mean(
                    self.cursor.next_text(),
                    ITEMS.iter().copied(),
                    "a text is made of `machine`, `queues`, `capacity`, `channel`, `queue`, `bad` and `ltl`",
                );
                self.cursor.missing("a declaration", &help)
            }
        }
    }

    fn semicolon(&mut self) -> Option<()> {
        self.expect(Token::Semicolon, "`;`", SEMICOLON_HELP).map(|_| ())
    }

    fn discipline(&mut self) -> Option<()> {
        let help = "write `queues mailbox;`, `queues peer-to-peer;` or `queues channels;`";
        let (_, start) = self.cursor.bump()?;
        let discipline = match self.cursor.peek() {
            Some(Token::Mailbox) => Discipline::Mailbox,
            Some(Token::Channels) => Discipline::Channels,
            Some(Token::Peer) => Discipline::PeerToPeer,
            _ => {
                return self.cursor.missing("`mailbox`, `peer-to-peer` or `channels`", help);
            }
        };
        self.cursor.bump();
        if discipline == Discipline::PeerToPeer {
            for token in [Token::Minus, Token::To, Token::Minus, Token::Peer] {
                self.expect(token, "`peer-to-peer`", help)?;
            }
        }
        self.file.disciplines.push((discipline, start.to(self.cursor.last())));
        self.semicolon()
    }

    fn channels(&mut self) -> Option<()> {
        self.cursor.bump();
        let first = self.file.channels.len();
        self.list(Token::Comma, |parser| {
            let name = parser.name("the name of a channel", "write `channel a, b;`")?;
            parser.file.channels.push(Channel { name, size: None });
            Some(())
        })?;
        if self.cursor.peek() != Some(Token::Semicolon) {
            let size = self.size()?;
            for channel in &mut self.file.channels[first..] {
                channel.size = Some(size);
            }
        }
        self.semicolon()
    }

    fn queue_name(&mut self, wanted: &str) -> Option<QueueName<'t>> {
        let help =
            "write `queue A` for a mailbox or channel, `queue A from B` for what B sends to A";
        let name = self.name(wanted, help)?;
        let from = match self.cursor.eat(Token::From) {
            Some(_) => Some(self.name("a machine", help)?),
            None => None,
        };
        Some(QueueName { name, from })
    }

    fn size(&mut self) -> Option<Size> {
        let start = self.cursor.here();
        let capacity = match self.cursor.peek() {
            Some(Token::Unbounded) => Capacity::Unbounded,
            Some(Token::Rendezvous) => Capacity::Rendezvous,
            Some(Token::Name) => self.messages(start)?,
            _ => {
                return self.cursor.missing("a size", SIZE_HELP);
            }
        };
        self.cursor.bump();
        let loss = match self.cursor.peek() {
            Some(Token::Lossy) => Loss::Always,
            Some(Token::Drop) => Loss::WhenFull,
            _ => Loss::Never,
        };
        if loss != Loss::Never {
            self.cursor.bump();
        }
        let span = start.to(self.cursor.last());
        let size = Size { kind: QueueKind { capacity, loss }, span };
        self.check_loss(size);
        Some(size)
    }

    /// The number of messages that is written in the next token.
    fn messages(&mut self, span: Span) -> Option<Capacity> {
        let text = self.cursor.text(span);
        if !text.bytes().all(|b| b.is_ascii_digit()) {
            return self.cursor.missing("a size", SIZE_HELP);
        }
        let (message, help) = match text.parse::<u32>() {
            Ok(0) => (
                "a queue of size 0 holds no message".to_owned(),
                "write `rendezvous` if sender and receiver move together",
            ),
            Ok(n) => return Some(Capacity::Messages(n)),
            Err(_) => (format!("the size {} is too large", quoted(text)), "write `unbounded`"),
        };
        self.cursor.complaints.error(codes::SIZE, message, span, help);
        // The rest of the declaration can still be read.
        Some(Capacity::Messages(1))
    }

    fn check_loss(&mut self, size: Size) {
        let (message, help) = match (size.kind.capacity, size.kind.loss) {
            (Capacity::Rendezvous, Loss::WhenFull | Loss::Always) => (
                "a rendezvous cannot lose a message",
                "sender and receiver move together, so nothing is under way; remove the second word",
            ),
            (Capacity::Unbounded, Loss::WhenFull) => (
                "an unbounded queue is never full, so it drops nothing",
                "give it a size, or write `lossy` if any message may be lost",
            ),
            _ => return,
        };
        self.cursor.complaints.error(codes::SIZE, message, size.span, help);
    }

    fn bad(&mut self) -> Option<()> {
        let help = "write `bad name: Machine in State, queue Other matches a b*;`";
        self.cursor.bump();
        let name = self.name("the name of a bad situation", help)?;
        self.expect(Token::Colon, "`:`", help)?;
        let conditions = self.list(Token::Comma, |parser| parser.condition(help))?;
        self.file.bad.push(Bad { name, conditions });
        self.semicolon()
    }

    fn condition(&mut self, help: &str) -> Option<Condition<'t>> {
        if self.cursor.eat(Token::Queue).is_some() {
            let queue = self.queue_name("a machine or channel")?;
            self.expect(Token::Matches, "`matches`", help)?;
            let start = self.cursor.here();
            let pattern = self.pattern()?;
            return Some(Condition::Matches(queue, pattern, start.to(self.cursor.last())));
        }
        let machine = self.name("a machine", help)?;
        self.expect(Token::In, "`in`", help)?;
        let states = self.list(Token::Bar, |parser| parser.name("a state", help))?;
        Some(Condition::In(machine, states))
    }

    fn ltl(&mut self) -> Option<()> {
        let help = "write `ltl name: G (send Req -> F recv Grant);`";
        self.cursor.bump();
        let name = self.name("the name of a formula", help)?;
        let over_sends = self.over_sends()?;
        self.expect(Token::Colon, "`:`", help)?;
        let start = self.cursor.here();
        let formula = self.formula()?;
        let span = start.to(self.cursor.last());
        self.file.ltl.push(Ltl { name, formula, over_sends, span });
        self.semicolon()
    }

    /// `over sends`. The two words are names elsewhere.
    fn over_sends(&mut self) -> Option<bool> {
        if self.cursor.peek() != Some(Token::Name) || self.cursor.next_text() != "over" {
            return Some(false);
        }
        self.cursor.bump();
        if self.cursor.peek() != Some(Token::Name) || self.cursor.next_text() != "sends" {
            return self
                .cursor
                .missing("`sends`", "write `ltl name over sends: G (Req -> F Grant);`");
        }
        self.cursor.bump();
        Some(true)
    }
}
