//! `sonc generate`: what shells and `man` know about the commands and their options.
use crate::arguments::Arguments;
use crate::files::{Outcome, print};
use clap::{Args, Command, CommandFactory, Subcommand};
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::PathBuf;

#[derive(Subcommand)]
pub enum Generate {
    /// Print the completions for a shell
    Completions(Completions),
    /// Print the page of sonc for man
    Man(Pages),
}

#[derive(Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

#[derive(Args)]
pub struct Pages {
    /// Write the pages of all commands to this folder instead
    #[arg(short, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

impl Generate {
    pub fn execute(self) -> Outcome {
        match self {
            Generate::Completions(it) => it.execute(),
            Generate::Man(it) => it.execute(),
        }
    }
}

impl Completions {
    fn execute(self) -> Outcome {
        let mut command = Arguments::command();
        let name = command.get_name().to_string();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        print(&text(script))
    }
}

impl Pages {
    fn execute(self) -> Outcome {
        let mut command = Arguments::command().disable_help_subcommand(true);
        command.build();
        match &self.output {
            Some(folder) => {
                let mut pages = Vec::new();
                add_pages(&command, &mut pages);
                Ok(host::write_all(folder, &[], &pages, "1")?)
            }
            None => print(&page(&command)),
        }
    }
}

/// Adds the page of a command, and those of the commands below it, with their names.
fn add_pages(command: &Command, pages: &mut Vec<(String, String)>) {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    pages.push((name.to_string(), page(command)));
    for command in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        add_pages(command, pages);
    }
}

fn page(command: &Command) -> String {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).expect("memory can be written");
    text(page)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("clap writes UTF-8")
}
