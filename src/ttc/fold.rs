//! Folds a graph of the case: Firm's rules, with the symbols' names in their words.
use super::graph::{Graph, SelectedForm, label};
use crate::firm::{self, NodeId, Op, fold};
use crate::stage::{Artifact, Rewrite, Violation};
use arena::SideTable;
use picture::Picture;

pub use crate::firm::fold::Folded;

/// Options of the folding; see `firm::fold::Options`.
pub struct FoldOptions<'o> {
    pub paper_order: bool,
    pub program: bool,
    pub threads: usize,
    pub without: &'o [String],
    /// Is called after every rewrite, with the graph.
    pub observe: Option<&'o mut dyn FnMut(&Rewrite, &dyn Artifact)>,
}

impl Default for FoldOptions<'_> {
    fn default() -> Self {
        FoldOptions { paper_order: false, program: false, threads: 1, without: &[], observe: None }
    }
}

/// Rewrites a graph until no rule matches. Constants for which instructions were selected stay.
pub fn fold(graph: Graph, options: FoldOptions) -> (Graph, Folded) {
    let Graph { firm, symbols, forms } = graph;
    let mut opaque = SideTable::new(0);
    let is_target = |id: &NodeId| forms[*id] != SelectedForm::Source;
    let constants = firm.ids().filter(is_target).filter(|id| matches!(firm.op(*id), Op::Const(_)));
    constants.for_each(|id| opaque[id] = true);
    let label = |graph: &firm::Graph, id| label(graph, id, &symbols, &forms);
    let FoldOptions { paper_order, program, threads, without, observe } = options;
    let mut observe = observe.map(|observe| {
        |step: &Rewrite, graph: &firm::Graph| observe(step, &Snapshot { graph, label: &label })
    });
    let observe = observe.as_mut().map(|it| it as &mut fold::Observer);
    let label = &label;
    let options = fold::Options { paper_order, program, threads, without, opaque, label, observe };
    let (firm, folded) = fold::fold(firm, options);
    let mut kept: SideTable<NodeId, SelectedForm> = SideTable::new(0);
    for (id, &origin) in firm.ids().zip(&folded.origins) {
        if forms[origin] != SelectedForm::Source {
            kept[id] = forms[origin];
        }
    }
    (Graph { firm, symbols, forms: kept }, folded)
}

/// A graph between two rewrites.
struct Snapshot<'g> {
    graph: &'g firm::Graph,
    label: &'g firm::Label<'g>,
}

impl Artifact for Snapshot<'_> {
    fn print(&self) -> String {
        firm::print(self.graph, self.label)
    }

    fn picture(&self) -> Option<Picture> {
        Some(firm::picture(self.graph, self.label))
    }

    fn verify(&self) -> Vec<Violation> {
        firm::verify(self.graph)
    }
}
