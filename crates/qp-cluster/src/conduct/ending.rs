//! The end of a search: what each worker has learnt on the side, and all configurations as evidence.

use qp_base::Span;
use qp_machines::QueueId;

use super::Conduct;
use crate::bytes::{Bytes, Garbled, put, put_text};
use crate::evidence;
use crate::front::{Front, Widest};
use crate::net::Net;
use crate::question::{Findings, Lost};
use crate::status::Total;

impl<N: Net> Conduct<'_, N> {
    /// Brings together what each worker has learnt on the side.
    pub(super) fn finish(mut self, front: &Front, total: &Total) -> Result<Findings, Lost> {
        let mut packet = Vec::new();
        let longest = self.shard.longest(front);
        put(&mut packet, longest.len() as u64);
        for longest in longest {
            put(&mut packet, u64::from(longest));
        }
        put(&mut packet, front.stalls.len() as u64);
        front.stalls.iter().for_each(|queue| put(&mut packet, u64::from(queue.raw())));
        let widest = front.widest();
        put(&mut packet, u64::from(widest.is_some()));
        for number in widest.into_iter().flat_map(Widest::numbers) {
            put(&mut packet, number);
        }
        if let Some(place) = front.gave_up {
            let config = self.shard.stepper.config(front.rows.row(place));
            if let Some(why) = self.shard.why(&config) {
                put_text(&mut packet, &why.text);
                let span = why.span.map_or((0, 0), |span| (span.start + 1, span.end));
                put(&mut packet, u64::from(span.0));
                put(&mut packet, u64::from(span.1));
            }
        }
        let told = self.tell_all(&packet, |_, bytes| Aside::read(bytes))?;
        let wide = told.iter().zip(0..).filter_map(|(aside, worker)| Some((aside.widest?, worker)));
        let widest = wide.min();
        for aside in told {
            let findings = &mut self.findings;
            let n_queues = findings.longest.len().max(aside.longest.len());
            findings.longest.resize(n_queues, 0);
            for (longest, more) in findings.longest.iter_mut().zip(aside.longest) {
                *longest = (*longest).max(more);
            }
            findings.stalled.extend(aside.stalled);
            findings.gave_up = findings.gave_up.take().or(aside.gave_up);
        }
        self.findings.stalled.sort_unstable();
        self.findings.stalled.dedup();
        if let Some((widest, worker)) = widest {
            let found = (widest.print, worker, widest.place);
            self.findings.met = self.run_to(front, found, None)?;
        }
        let small = total.sum.states <= self.question.evidence_max;
        if self.findings.complete && small && self.question.evidence {
            self.gather(front)?;
        }
        Ok(self.findings)
    }

    /// Brings all configurations to the first worker.
    fn gather(&mut self, front: &Front) -> Result<(), Lost> {
        let mut all = Front::default();
        for (to, packet) in self.shard.hand_over(front, 0) {
            self.net.send(to, packet);
            self.net.step();
        }
        self.net.end_round();
        loop {
            let settled = self.net.is_settled();
            self.hear(&mut all)?;
            if settled {
                break;
            }
            self.wait()?;
        }
        if self.net.index() == 0 {
            self.findings.closed = Some(evidence::closed_set(&mut self.shard, &all.rows));
        }
        Ok(())
    }
}

/// What a worker has learnt on the side.
struct Aside {
    longest: Vec<u32>,
    stalled: Vec<QueueId>,
    widest: Option<Widest>,
    gave_up: Option<(String, Option<Span>)>,
}

impl Aside {
    fn read(bytes: &[u8]) -> Result<Self, Garbled> {
        let mut bytes = Bytes(bytes);
        let longest = (0..bytes.count()?).map(|_| bytes.small()).collect::<Result<_, _>>()?;
        let n_stalled = bytes.count()?;
        let stalled = (0..n_stalled).map(|_| Ok(QueueId::from_raw(bytes.small()?)));
        let stalled = stalled.collect::<Result<_, Garbled>>()?;
        let mut widest = None;
        if bytes.number()? > 0 {
            let (n_queues, level) = (bytes.small()?, bytes.small()?);
            widest = Some(Widest::new(n_queues, level, bytes.number()?, bytes.small()?));
        }
        let mut gave_up = None;
        if !bytes.is_empty() {
            let text = bytes.text()?.to_owned();
            let (start, end) = (bytes.small()?, bytes.small()?);
            let span = start.checked_sub(1).map(|start| Span { start, end });
            gave_up = Some((text, span.filter(|span| span.start <= span.end)));
        }
        Ok(Self { longest, stalled, widest, gave_up })
    }
}
