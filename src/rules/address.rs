//! Addresses in rules: base, index and scale, displacement.
use super::resolve::Resolver;
use super::tree::TermTree;
use super::tree::Word;
use super::{AddressTemplate, Template};
use crate::base::span::Span;

impl Resolver<'_> {
    pub fn address(&mut self, terms: &[TermTree], span: Span) -> Option<Template> {
        let mut address = AddressTemplate::default();
        for term in terms {
            match term {
                TermTree::Argument(word) => address.argument = Some(self.number(word)?),
                TermTree::Immediate(tree) => address.displacement.push(self.immediate(tree)?),
                TermTree::Name(word, scale) => {
                    self.address_name(word, *scale, &mut address, span)?
                }
            }
        }
        Some(Template::Address(address))
    }

    fn address_name(
        &mut self,
        word: &Word,
        scale: Option<i64>,
        address: &mut AddressTemplate,
        span: Span,
    ) -> Option<()> {
        let slot = match (self.named(word)?, scale) {
            (Template::Immediate(immediate), None) => {
                address.displacement.push(immediate);
                return Some(());
            }
            (Template::Register(slot), _) => slot,
            _ => {
                self.complain(word.span, format!("`{}` cannot stand here", word.text), "this term");
                return None;
            }
        };
        match (scale, address.base, address.index) {
            (None, None, _) => address.base = Some(slot),
            (None, _, None) => address.index = Some((slot, 1)),
            (Some(scale @ (1 | 2 | 4 | 8)), _, None) => address.index = Some((slot, scale as u8)),
            _ => {
                let message = "an address is base + index * 1, 2, 4 or 8 + number".to_string();
                self.complain(span, message, "this is something else");
                return None;
            }
        }
        Some(())
    }
}
