//! Places the stores of spilled values: where a value leaves its register, or after its definition,
//! if the stores are executed less often there.
use crate::ia32::Register;
use crate::linear_scan::allocation::Allocation;
use crate::linear_scan::spill_code::Move;
use crate::live_ranges::intervals::NEVER;

impl Allocation<'_> {
    /// Replaces the stores of a value by stores after its definitions if that is cheaper.
    pub fn place_stores(&self, mut moves: Vec<Move>) -> Vec<Move> {
        let mut stores = moves.extract_if(.., |it| it.stored.is_some()).collect::<Vec<_>>();
        stores.sort_by_key(|it| (it.stored, it.at));
        let frequencies = self.code.frequencies();
        for stores in stores.chunk_by(|a, b| a.stored == b.stored) {
            let value = stores[0].stored.expect("only stores are here");
            let defined = self.stores_of_definitions(value, stores);
            let frequency = |it: &Move| frequencies[self.intervals.flow.block(it.at)];
            let cost = |moves: &[Move]| (moves.iter().map(frequency).sum::<u64>(), moves.len());
            moves.extend(if cost(&defined) < cost(stores) { &defined } else { stores });
        }
        moves
    }

    /// A store after each definition that reaches a store.
    fn stores_of_definitions(&self, value: Register, stores: &[Move]) -> Vec<Move> {
        let interval = self.intervals.of(value);
        let mut definitions = interval.writes().map(|at| (at, at + 2 - at % 2)).collect::<Vec<_>>();
        if definitions.is_empty() {
            definitions.push((interval.start(), interval.start()));
        }
        let next = definitions.iter().skip(1).map(|&(at, _)| at).chain([NEVER]);
        let mut defined = Vec::new();
        for (&(at, after), next) in definitions.iter().zip(next) {
            let later = stores.partition_point(|store| store.at < at);
            if stores.get(later).is_some_and(|store| store.at <= next)
                && let Some(register) = self.register(value, at)
            {
                defined.extend(self.store(after, value, register));
            }
        }
        defined
    }
}
