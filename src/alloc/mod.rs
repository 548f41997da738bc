//! From virtual registers to real ones.
#[cfg(feature = "ch05")]
mod ahead;
#[cfg(feature = "ch02")]
mod bank;
#[cfg(feature = "ch05")]
mod blocks;
#[cfg(feature = "ch05")]
mod copies;
#[cfg(feature = "ch05")]
mod edges;
#[cfg(feature = "ch05")]
mod flow;
#[cfg(feature = "ch02")]
mod frame;
#[cfg(feature = "ch05")]
mod heads;
#[cfg(feature = "ch02")]
mod homes;
#[cfg(feature = "ch05")]
mod joins;
#[cfg(feature = "ch02")]
mod lives;
#[cfg(feature = "ch02")]
mod local;
#[cfg(feature = "ch05")]
mod loops;
#[cfg(not(feature = "ch02"))]
mod single;
#[cfg(feature = "ch05")]
mod tree;

#[cfg(feature = "ch02")]
pub use local::allocate;
#[cfg(not(feature = "ch02"))]
pub use single::allocate;

#[cfg(test)]
#[cfg(feature = "ch02")]
mod tests {
    use super::*;
    use crate::base::ids::Id;
    use crate::ia32::code::{Address, Base};
    use crate::ia32::inst::{ROWS, Row};
    use crate::ia32::{Code, Op, Operand, Register, encode};
    use crate::rules::target::Slot;
    use crate::stage::{Artifact, End};

    /// The allocated code, once it is known to be sound and to mean the same.
    fn checked(code: Code, arguments: &[i64]) -> Code {
        assert_eq!(code.verify(), [], "\n{}", code.print());
        let allocated = allocate(code.clone());
        assert_eq!(allocated.verify(), [], "\n{}\n{}", code.print(), allocated.print());
        for &argument in arguments {
            let outcome = code.eval(argument).expect("selected code is executable");
            assert!(matches!(outcome.end, End::Value(_)), "{outcome:?}\n{}", code.print());
            let after = allocated.eval(argument);
            assert_eq!(after, Some(outcome), "\n{}\n{}", code.print(), allocated.print());
        }
        assert_eq!(encode(&allocated).offsets.len(), allocated.instructions.len());
        allocated
    }

    /// xorshift64*, G. Marsaglia and S. Vigna.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
        }

        fn immediate(&mut self) -> i32 {
            const EDGES: [i32; 10] = [0, 1, -1, 5, 127, 128, -128, -129, i32::MIN, i32::MAX];
            EDGES[self.below(EDGES.len())]
        }
    }

    /// Writes random code that cannot fault, with about `live` values alive at any time.
    struct Writer {
        random: Random,
        code: Code,
        pool: Vec<Register>,
        live: usize,
    }

    const EAX: Operand = Operand::Register(Register::EAX);

    /// Where selected code may load from.
    const PLACES: &[Base] = &[
        #[cfg(feature = "ch04")]
        Base::Argument(0),
    ];

    /// What an address may have instead of a register.
    const NO_BASES: &[Base] = &[
        #[cfg(feature = "ch04")]
        Base::None,
    ];

    impl Writer {
        fn new(seed: u64, live: usize) -> Writer {
            let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
            let mut writer = Writer { random, code: Code::new(), pool: Vec::new(), live };
            writer.number(42);
            writer
        }

        fn program(mut self, length: usize) -> Code {
            while self.code.instructions.len() < length {
                let row = &ROWS[self.random.below(ROWS.len())];
                self.row(row);
            }
            let sum = self.fresh();
            self.push(Op::MovImmediate, &[sum, Operand::Immediate(0)]);
            while let Some(value) = self.pool.pop() {
                self.push(Op::Add, &[sum, Operand::Register(value)]);
            }
            self.push(Op::Mov, &[EAX, sum]);
            self.push(Op::Ret, &[]);
            self.code
        }

        fn push(&mut self, op: Op, operands: &[Operand]) {
            let origin = self.code.instructions.len() as u32;
            self.code.push(op, operands, origin);
        }

        fn fresh(&mut self) -> Operand {
            Operand::Register(self.code.virtual_register())
        }

        fn value(&mut self) -> Operand {
            Operand::Register(self.pool[self.random.below(self.pool.len())])
        }

        /// From now on the value may be read; another one may be forgotten.
        fn keep(&mut self, value: Operand) {
            let Operand::Register(value) = value else { panic!("a value is in a register") };
            if self.random.below(16) > 0 {
                self.pool.push(value);
            }
            while self.pool.len() > self.live {
                let at = self.random.below(self.pool.len());
                self.pool.swap_remove(at);
            }
        }

        fn number(&mut self, number: i32) {
            let value = self.code.virtual_register();
            self.push(Op::MovImmediate, &[Operand::Register(value), Operand::Immediate(number)]);
            self.pool.push(value);
        }

        fn row(&mut self, row: &Row) {
            match row.op {
                Op::Push | Op::Pop | Op::Store | Op::Ret => {}
                #[cfg(feature = "ch05")]
                Op::Jmp | Op::Jcc => {}
                Op::Cdq | Op::Idiv => self.division(),
                #[cfg(feature = "ch04")]
                Op::ImulWide => self.wide_product(),
                #[cfg(feature = "ch04")]
                Op::Set | Op::Movzx => self.comparison(),
                Op::Load => self.load(),
                op => self.plain(op, row),
            }
        }

        fn load(&mut self) {
            for &base in PLACES {
                let value = self.fresh();
                self.push(Op::Load, &[value, Operand::Address(Address::new(base, 0))]);
                self.keep(value);
            }
        }

        /// Any operands will do. What is written is new, or once in a while an older value.
        fn plain(&mut self, op: Op, row: &Row) {
            let new = self.random.below(8) > 0;
            let target = if new { self.fresh() } else { self.value() };
            let first = row.instruction.operands[0];
            if new && first.writes() && first.reads() {
                let source = self.value();
                self.push(Op::Mov, &[target, source]);
                self.keep(target);
            }
            let operands = row.instruction.operands.iter().map(|slot| match slot {
                Slot::Register(..) if slot.writes() => target,
                Slot::Register(..) => self.value(),
                Slot::Immediate => Operand::Immediate(self.random.immediate()),
                Slot::Address => self.address(),
                #[cfg(feature = "ch04")]
                Slot::Condition => unreachable!("only set has one"),
                #[cfg(feature = "ch05")]
                Slot::Block => unreachable!("only jumps have one"),
            });
            let operands = operands.collect::<Vec<_>>();
            self.push(op, &operands);
            if new && first.writes() && !first.reads() {
                self.keep(target);
            }
        }

        fn address(&mut self) -> Operand {
            let [base, index] = [(); 2].map(|()| self.pool[self.random.below(self.pool.len())]);
            let none = NO_BASES.get(self.random.below(3));
            let scale = 1 << self.random.below(4);
            let indexed = none.is_some() || self.random.below(2) == 0;
            Operand::Address(Address {
                base: none.copied().unwrap_or(Base::Register(base)),
                index: indexed.then_some((index, scale)),
                displacement: self.random.immediate(),
            })
        }

        fn division(&mut self) {
            let divisor = self.fresh();
            let constant = [2, 3, -7, 10, i32::MAX, i32::MIN][self.random.below(6)];
            self.push(Op::MovImmediate, &[divisor, Operand::Immediate(constant)]);
            let dividend = self.value();
            self.push(Op::Mov, &[EAX, dividend]);
            self.push(Op::Cdq, &[]);
            self.push(Op::Idiv, &[divisor]);
            self.results();
            if self.random.below(2) == 0 {
                self.keep(divisor);
            }
        }

        /// Takes eax, edx or both.
        fn results(&mut self) {
            let edx = Operand::Register(Register::from_index(2));
            let wanted = 1 + self.random.below(3);
            for (bit, register) in [(1, EAX), (2, edx)] {
                if wanted & bit != 0 {
                    let value = self.fresh();
                    self.push(Op::Mov, &[value, register]);
                    self.keep(value);
                }
            }
        }

        #[cfg(feature = "ch04")]
        fn wide_product(&mut self) {
            let [a, b] = [self.value(), self.value()];
            self.push(Op::Mov, &[EAX, a]);
            self.push(Op::ImulWide, &[b]);
            self.results();
        }

        #[cfg(feature = "ch04")]
        fn comparison(&mut self) {
            use crate::arith::Relation;
            let [a, b, byte, result] = [self.value(), self.value(), self.fresh(), self.fresh()];
            let compare = [Op::Cmp, Op::Test][self.random.below(2)];
            self.push(compare, &[a, b]);
            let relation = Operand::Condition(Relation::ALL[self.random.below(6)]);
            self.push(Op::Set, &[relation, byte]);
            self.push(Op::Movzx, &[result, byte]);
            self.keep(result);
            // The low byte of any value may be wanted.
            let [word, source] = [self.fresh(), self.value()];
            self.push(Op::Movzx, &[word, source]);
            self.keep(word);
        }
    }

    #[test]
    fn random_code_means_the_same_in_real_registers() {
        for seed in 0..4000 {
            let live = 1 + (seed % 41) as usize;
            let code = Writer::new(seed, live).program(10 + (seed % 200) as usize);
            checked(code, &[0, 1, -77, i64::from(i32::MIN)]);
        }
    }

    #[test]
    fn long_code_with_many_values_is_no_harder() {
        let code = Writer::new(1, 2000).program(100_000);
        checked(code, &[3]);
    }

    #[test]
    fn a_division_finds_its_operands_in_any_register() {
        for (dividend, divisor, ended) in (0..9 * 9 * 9).map(|n| (n % 9, n / 9 % 9, n / 81)) {
            let mut writer = Writer::new(7, 100);
            writer.pool.clear();
            for number in [2, 3, 5, 7, 11, 13, 17, 19, 23] {
                writer.number(number);
            }
            let [a, b] = [dividend, divisor].map(|at| Operand::Register(writer.pool[at]));
            writer.push(Op::Mov, &[EAX, a]);
            writer.push(Op::Cdq, &[]);
            writer.push(Op::Idiv, &[b]);
            writer.pool.drain(..ended);
            writer.results();
            checked(writer.program(0), &[0]);
        }
    }
}
