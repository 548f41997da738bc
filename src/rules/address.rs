//! Addresses in rules: base, index and scale, displacement.
use super::matching::holds_for;
use super::resolve::{NameKind, Resolver};
use super::{AddressTemplate, Guard, Immediate, InstructionTemplate, NameId, OperandTemplate};
use crate::firm::{Mode, Op};
use rule_text::{Identifier, ImmediateAst, TermAst};
use source::Span;

impl Resolver<'_> {
    pub fn address(&mut self, terms: &[TermAst], span: Span) -> Option<OperandTemplate> {
        let mut address = AddressTemplate::default();
        for term in terms {
            match term {
                TermAst::Argument(word) => address.argument = Some(self.argument_number(word)?),
                TermAst::Immediate(tree) => address.displacement.push(self.immediate(tree)?),
                #[cfg(feature = "ch12")]
                TermAst::Name(word, None) if self.binds_float(word) => {
                    address.constant = self.find_name(&word.text);
                }
                TermAst::Name(word, scale) => {
                    self.address_name(word, scale.as_ref(), &mut address, span)?
                }
                other => return self.not_supported(other.span()),
            }
        }
        #[cfg(feature = "ch19")]
        self.check_address(&address, span)?;
        Some(OperandTemplate::Address(address))
    }

    /// A name that is bound to the number of an argument.
    fn argument_number(&mut self, word: &Identifier) -> Option<NameId> {
        let name_id = self.number(word)?;
        if self.binds_argument(name_id) {
            return Some(name_id);
        }
        let message = format!("`{}` is no argument of the pattern", word.text);
        self.report(word.span, message, "an argument is bound by `Argument`");
        None
    }

    /// Whether a name is bound to the bits of a floating-point number.
    #[cfg(feature = "ch12")]
    fn binds_float(&self, word: &Identifier) -> bool {
        let kind = self.find_name(&word.text).map(|it| self.names[usize::from(it)].1);
        matches!(kind, Some(NameKind::Attribute(Op::Const(_), Mode::D)))
    }

    /// The address of an argument has no other term.
    #[cfg(feature = "ch19")]
    fn check_address(&mut self, address: &AddressTemplate, span: Span) -> Option<()> {
        let registers = address.base.is_some() || address.index.is_some();
        if address.constant.is_some() && (registers || !address.displacement.is_empty()) {
            let message = "the address of a float has no other term".to_string();
            self.report(span, message, "this address");
            return None;
        }
        let wrong = match address.argument {
            Some(_) if registers => "the address of an argument has no register",
            Some(_) if !address.displacement.is_empty() => "an argument is one word",
            None | Some(_) => return Some(()),
        };
        self.report(span, wrong.to_string(), "this address");
        None
    }

    fn address_name(
        &mut self,
        word: &Identifier,
        scale: Option<&ImmediateAst>,
        address: &mut AddressTemplate,
        span: Span,
    ) -> Option<()> {
        let name_id = match (self.named(word)?, scale) {
            (OperandTemplate::Immediate(immediate), None) => {
                address.displacement.push(immediate);
                return Some(());
            }
            (OperandTemplate::Register(name_id), _) => name_id,
            _ => {
                self.report(word.span, format!("`{}` is not allowed here", word.text), "this term");
                return None;
            }
        };
        let scale = scale.map(|it| self.immediate(it));
        match (scale, address.base, address.index) {
            (None, None, _) => address.base = Some(name_id),
            (None, _, None) => address.index = Some((name_id, Immediate::Number(1))),
            (Some(Some(scale)), _, None) if may_be_scale(scale) => {
                address.index = Some((name_id, scale));
            }
            _ => {
                let message = "an address is base + index * 1, 2, 4 or 8 + number".to_string();
                self.report(span, message, "this has another form");
                return None;
            }
        }
        Some(())
    }

    /// A factor that depends on a number of the pattern must be possible for all numbers that the
    /// guards permit.
    pub fn check_scale(&mut self, step: &InstructionTemplate, word: &Identifier, guards: &[Guard]) {
        for operand in &step.operands {
            let OperandTemplate::Address(AddressTemplate { index: Some((_, scale)), .. }) = operand
            else {
                continue;
            };
            let Immediate::Of(function, name_id) = scale else { continue };
            let permitted = |number: &i64| guards.iter().all(|it| permits(*it, *name_id, *number));
            if let Some(number) =
                samples().filter(permitted).find(|it| !is_scale((function.of)(*it)))
            {
                let name = &self.names[usize::from(*name_id)].0;
                let message = format!("the factor of this address is none for {name} = {number}");
                self.report(word.span, message, "a factor is 1, 2, 4 or 8");
            }
        }
    }
}

/// Numbers near 0 and near powers of two, of both signs.
fn samples() -> impl Iterator<Item = i64> {
    let powers = (6..32).flat_map(|power| [-1, 0, 1].map(|near| (1 << power) + near));
    (0..64).chain(powers).flat_map(|number: i64| [number, -number])
}

/// Whether a guard holds if a name is bound to a number. Guards about others do not matter.
fn permits(guard: Guard, name: NameId, number: i64) -> bool {
    match guard {
        Guard::Equal(of, _) | Guard::Property(of, _) => of != name || holds_for(guard, number),
        #[cfg(feature = "ch10")]
        Guard::Unshared(_) => true,
        #[cfg(feature = "ch14")]
        Guard::Natural(_) | Guard::Complements(..) => true,
    }
}

/// Whether it is a scale, or depends on a number of the pattern.
fn may_be_scale(immediate: Immediate) -> bool {
    match immediate {
        Immediate::Number(number) => is_scale(number.into()),
        Immediate::Of(..) => true,
    }
}

fn is_scale(number: i64) -> bool {
    matches!(number, 1 | 2 | 4 | 8)
}
