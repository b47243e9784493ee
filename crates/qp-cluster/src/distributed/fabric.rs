//! Packets and rounds on the dataflow engine.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::OutputBuilderSession;
use timely::dataflow::operators::{Operator, Probe};
use timely::dataflow::{InputHandleVec, ProbeHandle};
use timely::worker::Worker;

use crate::net::Net;
use crate::question::Lost;

/// How long others may be late: everybody keeps the same limit on time, but not everybody began at the same
/// moment, and a level may have to be written down first.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to sleep at most while waiting for others.
const NAP: Duration = Duration::from_millis(20);

/// What leaves the last operator.
type Nothing<'o> = OutputBuilderSession<'o, u64, CapacityContainerBuilder<Vec<()>>>;

/// Receiver, sender, round and content.
type Packet = (u64, u64, u64, Vec<u8>);

/// Carries packets with the dataflow engine: a round is a moment of its logical time.
pub(super) struct Fabric<'w> {
    worker: &'w mut Worker,
    input: InputHandleVec<u64, Packet>,
    probe: ProbeHandle<u64>,
    arrived: Rc<RefCell<Vec<Packet>>>,
    round: u64,
    /// Whether the last round has settled and was not read to its end yet.
    just_settled: bool,
    late_since: Option<Instant>,
}

impl<'w> Fabric<'w> {
    pub(super) fn new(worker: &'w mut Worker) -> Self {
        let mut input = InputHandleVec::new();
        let probe = ProbeHandle::new();
        let arrived: Rc<RefCell<Vec<Packet>>> = Rc::default();
        let inbox = arrived.clone();
        worker.dataflow::<u64, _, _>(|scope| {
            let packets = input.to_stream(scope);
            let to = Exchange::new(|packet: &Packet| packet.0);
            let received = packets.unary(to, "receive", move |_, _| {
                move |packets, _: &mut Nothing<'_>| {
                    // One by one: the order of packets of one sender must stay.
                    packets.for_each(|_, batch: &mut Vec<Packet>| {
                        inbox.borrow_mut().append(batch);
                    });
                }
            });
            received.probe_with(&probe);
        });
        let (round, just_settled) = (0, false);
        Self { worker, input, probe, arrived, round, just_settled, late_since: None }
    }
}

impl Net for Fabric<'_> {
    fn index(&self) -> usize {
        self.worker.index()
    }

    fn peers(&self) -> usize {
        self.worker.peers()
    }

    fn send(&mut self, to: usize, packet: Vec<u8>) {
        self.input.send((to as u64, self.worker.index() as u64, self.round, packet));
        self.input.flush();
    }

    fn end_round(&mut self) {
        self.input.advance_to(self.round + 1);
    }

    fn is_settled(&mut self) -> bool {
        self.worker.step();
        if self.probe.less_than(&(self.round + 1)) {
            return false;
        }
        self.round += 1;
        self.just_settled = true;
        self.late_since = None;
        true
    }

    fn take(&mut self) -> Vec<(usize, Vec<u8>)> {
        let last = if std::mem::take(&mut self.just_settled) { self.round - 1 } else { self.round };
        let mut arrived = self.arrived.borrow_mut();
        // Who is faster may have sent something of the next round already.
        let all = std::mem::take(&mut *arrived);
        let (now, later): (Vec<Packet>, Vec<Packet>) =
            all.into_iter().partition(|&(_, _, round, _)| round <= last);
        *arrived = later;
        now.into_iter().map(|(_, from, _, packet)| (from as usize, packet)).collect()
    }

    fn step(&mut self) {
        self.worker.step();
    }

    fn wait(&mut self, late: bool) -> Result<(), Lost> {
        self.worker.step_or_park(Some(NAP));
        if !late {
            self.late_since = None;
            return Ok(());
        }
        let since = *self.late_since.get_or_insert_with(Instant::now);
        if since.elapsed() > PATIENCE {
            return Err(Lost("the other processes did not answer in time".to_owned()));
        }
        Ok(())
    }
}
