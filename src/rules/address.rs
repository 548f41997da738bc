//! Addresses in rules: base, index and scale, displacement.
use super::resolve::{NameKind, Resolver};
use super::{AddressTemplate, NameId, OperandTemplate};
use crate::firm::Op;
use rule_text::{Identifier, TermAst};
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
                    self.address_name(word, *scale, &mut address, span)?
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
        matches!(kind, Some(NameKind::Attribute(Op::Float(_))))
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
        scale: Option<i64>,
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
        match (scale, address.base, address.index) {
            (None, None, _) => address.base = Some(name_id),
            (None, _, None) => address.index = Some((name_id, 1)),
            (Some(scale @ (1 | 2 | 4 | 8)), _, None) => {
                address.index = Some((name_id, scale as u8))
            }
            _ => {
                let message = "an address is base + index * 1, 2, 4 or 8 + number".to_string();
                self.report(span, message, "this has another form");
                return None;
            }
        }
        Some(())
    }
}
