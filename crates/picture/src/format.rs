//! The languages in which a picture is written.
use crate::{Picture, TooLarge};
use std::path::Path;

/// The language of a picture's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Graphviz' language.
    Graphviz,
    /// SVG.
    Svg,
}

impl Format {
    /// SVG, or else Graphviz' language.
    pub fn new(is_svg: bool) -> Format {
        if is_svg { Format::Svg } else { Format::Graphviz }
    }

    /// SVG if that is chosen, or if the file has the extension.
    pub fn of_file(is_svg: bool, file: Option<&Path>) -> Format {
        let extension = file.and_then(Path::extension);
        Format::new(is_svg || extension.is_some_and(|it| it == Format::Svg.extension()))
    }

    /// The extension of a file.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Graphviz => "dot",
            Format::Svg => "svg",
        }
    }

    /// The text of a picture.
    ///
    /// # Errors
    /// A picture that is too large to be read, as SVG.
    pub fn text(self, picture: &Picture) -> Result<String, TooLarge> {
        match self {
            Format::Graphviz => Ok(picture.dot()),
            Format::Svg => picture.svg(),
        }
    }
}
