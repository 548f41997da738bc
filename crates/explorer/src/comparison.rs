//! Two compilations of one program on a page.
use crate::Stage;
use serde_json::{Value, json};

/// Another compilation of the program, and numbers of both.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The name of the other compilation, such as its options.
    pub name: String,
    /// Its stages. One that the page has, too, is shown beside that of the page.
    pub stages: Vec<Stage>,
    /// The names of the columns of the table of numbers.
    pub columns: Vec<String>,
    /// Its rows: a name, and a cell for each column.
    pub rows: Vec<(String, Vec<String>)>,
}

impl Comparison {
    /// The name of a stage of the other compilation.
    fn name_of(&self, stage: &str) -> String {
        format!("{stage} ({})", self.name)
    }

    /// The stages, with names that are unique in the page. The texts beside all stages are those of
    /// the page alone.
    pub(crate) fn renamed(&self) -> impl Iterator<Item = Stage> {
        self.stages.iter().map(|it| Stage {
            name: self.name_of(&it.name),
            is_linked: false,
            ..it.clone()
        })
    }

    /// The name of the stage beside this one of the page.
    pub(crate) fn beside(&self, stage: &Stage) -> Option<String> {
        let exists = self.stages.iter().any(|it| it.name == stage.name);
        exists.then(|| self.name_of(&stage.name))
    }

    pub(crate) fn numbers(&self) -> Value {
        json!({ "columns": self.columns, "rows": self.rows })
    }
}
