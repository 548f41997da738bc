//! Collects the stages of a compilation and its steps, for a page of the explorer. The command line
//! and the playground contain this file.
use crate::{instructions, results};
use explorer::{Page, Step};
use picture::Picture;
use sonc::{Artifact, FirmNode, Halt, Outcome, Rewrite, Stage, StageObserver};
use std::collections::HashMap;
use std::ops::Range;

/// The stages whose texts are shown beside all others.
const LINKED: &[Stage] = &[
    Stage::Sea,
    #[cfg(feature = "ch27")]
    Stage::Flow,
    #[cfg(feature = "ch26")]
    Stage::Region,
    Stage::Firm,
    Stage::Allocated,
    Stage::Bytes,
];

/// Collects the stages and their steps.
pub struct Collector<'s> {
    pub page: Page,
    /// Whether stages are asked for the steps that were not observed.
    #[cfg(feature = "ch19")]
    pub asks_for_steps: bool,
    /// The rewrites since the last stage.
    steps: Vec<Step>,
    /// The places in the source text that the nodes of the last Firm graph were made for.
    firm: HashMap<String, Range<usize>>,
    /// The operations that each match covers, by its root.
    matches: HashMap<FirmNode, Vec<FirmNode>>,
    run: Option<Run<'s>>,
}

/// The arguments of a run, and the outcome of a stage for them.
pub type Run<'r> = (&'r [i64], &'r dyn Fn(&dyn Artifact) -> Option<Outcome>);

impl StageObserver for Collector<'_> {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let nodes = artifact.line_nodes();
        let mut picture = artifact.picture();
        if (Stage::Firm..Stage::Pbqp).contains(&stage) {
            self.firm = picture.iter().flat_map(|it| it.origins.iter().cloned()).collect();
        }
        if let Some(picture) = &mut picture {
            explorer::add_instructions(picture, &self.instructions(&nodes));
        }
        let places = |node: &FirmNode| self.places(*node);
        let lines = nodes.iter().map(|it| it.as_ref().map_or_else(Vec::new, places)).collect();
        self.matches.extend(artifact.matches());
        #[cfg(feature = "ch19")]
        if self.asks_for_steps {
            self.steps.extend(artifact.steps().iter().map(step));
        }
        let steps = std::mem::take(&mut self.steps);
        #[cfg(feature = "ch26")]
        let steps = in_parts(steps, picture.as_ref());
        self.page.stages.push(explorer::Stage {
            name: stage.name().to_string(),
            text: artifact.print(),
            listing: artifact.listing(),
            lines,
            picture,
            family: family(stage).to_string(),
            steps,
            notes: notes(stage, artifact),
            is_linked: LINKED.contains(&stage),
        });
        if stage == Stage::Allocated {
            self.page.result = self.result(artifact);
        }
        Ok(())
    }

    fn rewrite(&mut self, rewrite: &Rewrite) {
        self.steps.push(step(rewrite));
    }
}

impl<'s> Collector<'s> {
    /// For a program with this text, which may be run.
    pub fn new(title: &str, text: &str, run: Option<Run<'s>>) -> Collector<'s> {
        Collector {
            page: Page::new(title, text),
            #[cfg(feature = "ch19")]
            asks_for_steps: true,
            steps: Vec::new(),
            firm: HashMap::new(),
            matches: HashMap::new(),
            run,
        }
    }

    /// The result of the program for the arguments.
    fn result(&self, artifact: &dyn Artifact) -> Option<String> {
        let (arguments, evaluate) = self.run?;
        let outcome = evaluate(artifact)?;
        Some(match results::values(&outcome.end) {
            Ok(values) => format!("{values}{}", given(arguments)),
            Err(reason) => format!("error: {reason}"),
        })
    }

    /// The places of a Firm node, and of those that were selected together with it.
    fn places(&self, root: FirmNode) -> Vec<Range<usize>> {
        let nodes = std::iter::once(&root).chain(self.matches.get(&root).into_iter().flatten());
        let mut places = Vec::new();
        for place in nodes.filter_map(|&node| self.place(node)) {
            if !places.contains(place) {
                places.push(place.clone());
            }
        }
        places
    }

    /// The place of a Firm node. In the picture of several functions, its name begins with the
    /// function.
    fn place(&self, (function, node): FirmNode) -> Option<&Range<usize>> {
        let of_several = self.firm.get(&format!("f{function}_n{node}"));
        of_several.or_else(|| self.firm.get(&format!("n{node}")))
    }

    /// The places of the instructions of each function.
    fn instructions(&self, nodes: &[Option<FirmNode>]) -> Vec<Vec<Vec<Range<usize>>>> {
        let mut functions: Vec<Vec<_>> = Vec::new();
        for &node in nodes.iter().flatten() {
            functions.resize_with(functions.len().max(node.0 + 1), Vec::new);
            functions[node.0].push(self.places(node));
        }
        functions
    }
}

/// ` for the argument 5`.
fn given(arguments: &[i64]) -> String {
    let list = arguments.iter().map(|it| format!(" {it}")).collect::<String>();
    match arguments.len() {
        0 => String::new(),
        1 => format!(" for the argument{list}"),
        _ => format!(" for the arguments{list}"),
    }
}

/// A step changes one function, which its picture is named after. In the picture of several
/// functions, each is a part, and its nodes have the names of the part.
#[cfg(feature = "ch26")]
fn in_parts(mut steps: Vec<Step>, whole: Option<&Picture>) -> Vec<Step> {
    let clusters = whole.iter().flat_map(|it| &it.clusters);
    let parts = clusters.filter(|it| it.parent.is_none()).map(|it| it.title.as_str());
    let parts: HashMap<&str, usize> = parts.zip(0..).collect();
    for step in &mut steps {
        let Some(picture) = &mut step.picture else { continue };
        let Some(&part) = parts.get(picture.title.as_str()) else { continue };
        step.node = picture::name_in_part(part, &step.node);
        let (name, own) = (picture.title.clone(), std::mem::take(picture));
        picture.add_part(part, name, own);
    }
    steps
}

/// The explanations of the instructions.
fn notes(stage: Stage, artifact: &dyn Artifact) -> Vec<(usize, String)> {
    if !matches!(stage, Stage::Selected | Stage::Allocated) {
        return Vec::new();
    }
    let listing = artifact.listing();
    let lines = listing.lines().enumerate();
    lines.filter_map(|(at, line)| Some((at, instructions::explained(line)?))).collect()
}

/// The kind of a stage's graph.
fn family(stage: Stage) -> &'static str {
    match stage {
        Stage::Parsed | Stage::Sea | Stage::Blocks => "sea",
        #[cfg(feature = "ch25")]
        Stage::Lowered => "firm",
        Stage::Firm => "firm",
        stage => stage.name(),
    }
}

fn step(rewrite: &Rewrite) -> Step {
    let rules = sonc::rewrites();
    #[cfg(feature = "ch25")]
    let rules = rules.chain(sonc::folding_rules());
    #[cfg(feature = "ch19")]
    let rules = rules.chain(sonc::reductions());
    let law = { rules }.find(|(name, _)| *name == rewrite.rule).map_or("", |(_, law)| law);
    Step {
        rule: rewrite.rule.to_string(),
        law: law.to_string(),
        before: rewrite.before.clone(),
        after: rewrite.after.clone(),
        node: rewrite.node.clone(),
        origin: rewrite.origin.map(|it| it.range()),
        picture: rewrite.picture.clone(),
    }
}
