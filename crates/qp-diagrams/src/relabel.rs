//! Sets whose values are renamed or left out.

use crate::cache::Op;
use crate::frame::Frame;
use crate::store::{Abort, Diagrams, EMPTY, NodeId, Set, UNIT};

impl Diagrams {
    /// The tuples with each value replaced by what `label` says of level and value. Different values may become
    /// the same.
    pub fn relabel(
        &mut self,
        set: Set,
        mut label: impl FnMut(usize, u32) -> u32,
    ) -> Result<Set, Abort> {
        let op = Op::Relabel(self.call());
        self.operate(&[set], |it| it.rename(op, set.0, &mut label)).map(Set)
    }

    fn rename(
        &mut self,
        op: Op,
        node: NodeId,
        label: &mut dyn FnMut(usize, u32) -> u32,
    ) -> Result<NodeId, Abort> {
        if node <= UNIT {
            return Ok(node);
        }
        if let Some(known) = self.known(op, node, EMPTY) {
            return Ok(known);
        }
        self.spend(self.n_arcs(node))?;
        let level = self.level(node);
        self.open_frame(level);
        for number in 0..self.n_arcs(node) {
            let (value, child) = self.arc(node, number);
            let child = self.rename(op, child, label)?;
            self.put(label(level as usize, value), child)?;
        }
        let result = self.close_frame(level)?;
        self.cache.set(op, node, EMPTY, result);
        Ok(result)
    }

    /// The tuples all of whose values are wanted, by level and value.
    pub fn restrict(
        &mut self,
        set: Set,
        mut wanted: impl FnMut(usize, u32) -> bool,
    ) -> Result<Set, Abort> {
        let op = Op::Restrict(self.call());
        self.operate(&[set], |it| it.filter(op, set.0, &mut wanted)).map(Set)
    }

    fn filter(
        &mut self,
        op: Op,
        node: NodeId,
        wanted: &mut dyn FnMut(usize, u32) -> bool,
    ) -> Result<NodeId, Abort> {
        if node <= UNIT {
            return Ok(node);
        }
        if let Some(known) = self.known(op, node, EMPTY) {
            return Ok(known);
        }
        self.spend(self.n_arcs(node))?;
        let (level, base) = (self.level(node), self.building.len());
        for number in 0..self.n_arcs(node) {
            let (value, child) = self.arc(node, number);
            if wanted(level as usize, value) {
                let child = self.filter(op, child, wanted)?;
                if child != EMPTY {
                    self.building.push((value, child));
                }
            }
        }
        let result = self.make(level, base)?;
        self.cache.set(op, node, EMPTY, result);
        Ok(result)
    }

    /// Begins a node whose values come in any order.
    pub(crate) fn open_frame(&mut self, level: u32) {
        let spare = self.spare_frames.get_mut(level as usize);
        self.frames.push(spare.map(std::mem::take).unwrap_or_default());
    }

    /// Lets `child` follow `value` as well, in the node that was begun last.
    pub(crate) fn put(&mut self, value: u32, child: NodeId) -> Result<(), Abort> {
        if child == EMPTY {
            return Ok(());
        }
        let frame = self.frames.last_mut().expect("a frame is open");
        let entry = frame.entry(value);
        let old = frame.child(entry);
        if old == child {
            return Ok(());
        }
        let joined = if old == EMPTY {
            child
        } else {
            self.pins.push(child);
            let joined = self.join(old, child)?;
            self.pins.pop();
            joined
        };
        if joined != old {
            let frame = self.frames.last_mut().expect("a frame is open");
            frame.change(entry, joined);
        }
        Ok(())
    }

    /// Finishes the node that was begun last.
    pub(crate) fn close_frame(&mut self, level: u32) -> Result<NodeId, Abort> {
        let base = self.open_arcs(level);
        self.building[base..].sort_unstable();
        self.make(level, base)
    }

    /// Leaves the arcs of the node that was begun last under construction, from the place on that is returned.
    fn open_arcs(&mut self, level: u32) -> usize {
        let mut frame = self.frames.pop().expect("a frame is open");
        let base = self.building.len();
        frame.drain_into(&mut self.building);
        if level as usize >= self.spare_frames.len() {
            self.spare_frames.resize_with(level as usize + 1, Frame::default);
        }
        self.spare_frames[level as usize] = frame;
        base
    }

    /// Gives up the node that was begun last.
    pub(crate) fn drop_frame(&mut self, level: u32) {
        let base = self.open_arcs(level);
        self.building.truncate(base);
    }

    /// The node that was begun last.
    pub(crate) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a frame is open")
    }
}
