//! Static single assignment: the Phis of the variables that arcs assign, and of memory.
//!
//! A variable has one definition at the beginning of each block where its value is needed. With
//! several arcs to the block it may be a Phi. A Phi whose operands are all equal, or the Phi
//! itself, is no Phi but this operand. Source: M. Braun, S. Buchwald, S. Hack, R. Leißa, C. Mallon,
//! A. Zwinkau, "Simple and Efficient Construction of Static Single Assignment Form", CC 2013.
use super::flow::{ArcId, BlockId, Flow, Source};
use crate::region::Value;
use arena::{Arena, FxHashMap, ListTable, SideTable, id};

id! {
    /// The value of a variable at the beginning of a block.
    EntryId
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variable {
    Memory,
    Value(Value),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    Number(i64),
    /// The step that computes the value.
    Step(Value),
    Entry(EntryId),
    /// The memory after all steps of a block with effects.
    Effects(BlockId),
    /// The memory before the function.
    Start,
}

struct Entry {
    block: BlockId,
    variable: Variable,
    /// One for each arc to the block.
    operands: Vec<Definition>,
    /// The definition that is equal to it.
    same: Option<Definition>,
}

pub struct Variables<'f> {
    flow: &'f Flow,
    has_effects: &'f dyn Fn(BlockId) -> bool,
    entries: Arena<EntryId, Entry>,
    ids: FxHashMap<(BlockId, Variable), EntryId>,
}

impl<'f> Variables<'f> {
    /// All definitions that the blocks of `order` need.
    pub fn new(
        flow: &'f Flow,
        order: &[BlockId],
        incoming: &ListTable<BlockId, (BlockId, ArcId)>,
        has_effects: &'f dyn Fn(BlockId) -> bool,
    ) -> Variables<'f> {
        let (entries, ids) = (Arena::default(), FxHashMap::default());
        let mut variables = Variables { flow, has_effects, entries, ids };
        for &block in order {
            variables.entry(block, Variable::Memory);
            for source in flow.operands(block) {
                variables.needed(block, source);
            }
        }
        let mut next = 0;
        while next < variables.entries.len() {
            let id: EntryId = arena::Id::from_index(next);
            let Entry { block, variable, .. } = variables.entries[id];
            for &(from, arc) in &incoming[block] {
                let operand = variables.on_arc(from, arc, variable);
                variables.entries[id].operands.push(operand);
            }
            next += 1;
        }
        variables.simplify();
        variables
    }

    fn entry(&mut self, block: BlockId, variable: Variable) -> EntryId {
        let entries = &mut self.entries;
        *self.ids.entry((block, variable)).or_insert_with(|| {
            entries.push(Entry { block, variable, operands: Vec::new(), same: None })
        })
    }

    /// The definition of a source in a block; adds the entry of a variable.
    fn needed(&mut self, block: BlockId, source: Source) -> Definition {
        match source {
            Source::Number(number) => Definition::Number(number),
            Source::Value(value) if self.flow.variables.contains(&value) => {
                Definition::Entry(self.entry(block, Variable::Value(value)))
            }
            Source::Value(value) => Definition::Step(value),
        }
    }

    fn on_arc(&mut self, from: BlockId, arc: ArcId, variable: Variable) -> Definition {
        match variable {
            Variable::Memory if (self.has_effects)(from) => Definition::Effects(from),
            Variable::Memory => Definition::Entry(self.entry(from, Variable::Memory)),
            Variable::Value(value) => {
                let copy = self.flow.arcs[arc].copies.get(&value).copied();
                self.needed(from, copy.unwrap_or(Source::Value(value)))
            }
        }
    }

    /// Replaces the entries that are equal to another definition. Their users may now have equal
    /// operands, too, and become users of that definition.
    fn simplify(&mut self) {
        let mut users: SideTable<EntryId, Vec<EntryId>> = SideTable::new(self.entries.len());
        for id in self.entries.ids() {
            for operand in &self.entries[id].operands {
                if let Definition::Entry(of) = operand {
                    users[*of].push(id);
                }
            }
        }
        // An entry is made after its users. The last one is first here, so chains of entries are
        // replaced from their ends, and users move once.
        let mut open: Vec<_> = self.entries.ids().collect();
        while let Some(id) = open.pop() {
            if self.entries[id].same.is_some() {
                continue;
            }
            let Some(same) = self.common_operand(id) else { continue };
            self.entries[id].same = Some(same);
            let mut own = std::mem::take(&mut users[id]);
            own.retain(|&user| self.entries[user].same.is_none());
            open.extend(&own);
            if let Definition::Entry(of) = same {
                users[of].append(&mut own);
            }
        }
        for id in self.entries.ids() {
            let same = self.entries[id].same;
            self.entries[id].same = same.map(|it| self.find(it));
        }
    }

    /// The only definition among the operands of an entry, itself excepted.
    fn common_operand(&mut self, id: EntryId) -> Option<Definition> {
        if self.entries[id].operands.is_empty() {
            return Some(Definition::Start);
        }
        let mut common = None;
        for at in 0..self.entries[id].operands.len() {
            let operand = self.find(self.entries[id].operands[at]);
            if operand != Definition::Entry(id) && *common.get_or_insert(operand) != operand {
                return None;
            }
        }
        common
    }

    /// As `resolved`, and shortens the path.
    fn find(&mut self, mut definition: Definition) -> Definition {
        while let Definition::Entry(id) = definition
            && let Some(same) = self.entries[id].same
        {
            if let Definition::Entry(next) = same
                && let Some(further) = self.entries[next].same
            {
                self.entries[id].same = Some(further);
            }
            definition = same;
        }
        definition
    }

    /// A definition that is no entry, or a Phi.
    pub fn resolved(&self, mut definition: Definition) -> Definition {
        while let Definition::Entry(id) = definition
            && let Some(same) = self.entries[id].same
        {
            definition = same;
        }
        definition
    }

    /// The definition of a source in a block.
    pub fn definition(&self, block: BlockId, source: Source) -> Definition {
        match source {
            Source::Number(number) => Definition::Number(number),
            Source::Value(value) => match self.ids.get(&(block, Variable::Value(value))) {
                Some(&id) => self.resolved(Definition::Entry(id)),
                None => Definition::Step(value),
            },
        }
    }

    /// The memory at the beginning of a block.
    pub fn memory(&self, block: BlockId) -> Definition {
        self.resolved(Definition::Entry(self.ids[&(block, Variable::Memory)]))
    }

    /// The Phis, in the order of their ids: their blocks, variables and operands.
    pub fn phis(&self) -> impl Iterator<Item = (EntryId, BlockId, Variable)> {
        let phis = self.entries.ids().filter(|&id| self.entries[id].same.is_none());
        phis.map(|id| (id, self.entries[id].block, self.entries[id].variable))
    }

    pub fn operands(&self, phi: EntryId) -> impl Iterator<Item = Definition> {
        self.entries[phi].operands.iter().map(|&it| self.resolved(it))
    }
}
