//! The figures of a text: the compiler draws them, so an outdated one is found by a comparison.
use crate::weave::{closes, opening};
use std::path::Path;

/// A figure in a text: `![…](figures/NAME.STAGE.svg)`, made from `cases/NAME.smp` (or
/// `.rv`, `.cfg`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// The path without `.svg`.
    pub stem: String,
    pub case: String,
    pub stage: String,
    /// From the comment `<!-- figure: --select greedy -->` on the line above, if the figure is the
    /// first one of its line.
    pub options: Vec<String>,
    /// The number of its line, from 1.
    pub line: usize,
}

/// The figures of a text, in order. A third part, as in `first.selected.greedy.svg`, distinguishes
/// figures of one stage.
pub fn figures(text: &str) -> Vec<Figure> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut above = "";
    for (at, line) in text.lines().enumerate() {
        match fence {
            Some(mark) if closes(line, mark) => fence = None,
            Some(_) => (),
            None => {
                fence = opening(line);
                // The options are those of the first figure of the line.
                let comments = std::iter::once(above).chain(std::iter::repeat(""));
                let images = images(line).zip(comments);
                found.extend(images.filter_map(|(path, above)| figure(path, above, at + 1)));
            }
        }
        above = line;
    }
    found
}

fn images(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next())
}

fn figure(path: &str, above: &str, line: usize) -> Option<Figure> {
    let stem = path.strip_suffix(".svg").filter(|it| it.starts_with("figures/"))?;
    let name = Path::new(stem).file_name()?.to_str()?;
    let (case, rest) = name.split_once('.')?;
    let stage = rest.split('.').next()?;
    let options = above.trim().strip_prefix("<!-- figure:").and_then(|it| it.strip_suffix("-->"));
    Some(Figure {
        stem: stem.to_string(),
        case: case.to_string(),
        stage: stage.to_string(),
        options: options.unwrap_or("").split_whitespace().map(str::to_string).collect(),
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_with_their_options() {
        let text = "![a](figures/first.sea.svg) and [b](figures/x.md)\n\
                    <!-- figure: --select greedy -->\n\
                    | ![c](figures/first.selected.greedy.svg) | ![g](figures/first.blocks.svg) |\n\
                    ```text\n![d](figures/no.sea.svg)\n```\n![e](figures/bare.svg)\n";
        let found = figures(text);
        let names: Vec<_> = found.iter().map(|it| (it.case.as_str(), it.stage.as_str())).collect();
        assert_eq!(names, [("first", "sea"), ("first", "selected"), ("first", "blocks")]);
        assert_eq!(found[0].options, Vec::<String>::new());
        assert_eq!(found[1].options, ["--select", "greedy"]);
        assert_eq!(found[1].stem, "figures/first.selected.greedy");
        assert_eq!(found[1].line, 3);
        assert_eq!(found[2].options, Vec::<String>::new());
    }
}
