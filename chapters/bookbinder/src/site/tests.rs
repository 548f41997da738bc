//! Tests of the site.
use super::links::{page_of, relative, resolve};
use super::*;
use crate::examples;

/// The page of a text in `chapters/01-a`.
fn rendered(text: &str) -> Rendered {
    let example = |path: &Path| Some(Path::new("examples").join(path).with_extension("html"));
    let extras = Extras { examples: &example, playground: true };
    markdown::render(Path::new("/nowhere"), Path::new("chapters/01-a/README.md"), text, extras)
}

#[test]
fn links_lead_to_pages() {
    let text = "[b](../02-b/README.md#c-d) ![e](figures/e.svg) [f](https://f.org) [g](#h)";
    let page = rendered(text);
    for link in ["../../chapters/02-b/index.html#c-d", "../../chapters/01-a/figures/e.svg"] {
        assert!(page.html.contains(link), "{}", page.html);
    }
    assert!(page.html.contains("href=\"https://f.org\""));
    let figure = "<a href=\"../../chapters/01-a/figures/e.svg\"><img ";
    assert!(page.html.contains(figure), "a figure leads to its own page: {}", page.html);
    assert!(page.html.contains("href=\"../../chapters/01-a/index.html#h\""));
    let files = ["chapters/02-b/README.md", "chapters/01-a/figures/e.svg"].map(PathBuf::from);
    assert_eq!(page.files[..2], files);
}

#[test]
fn headings_have_anchors() {
    let page = rendered("# Chapter 1: `x`\n## A, b-c\n## A, b-c\n");
    let anchors: Vec<_> = page.sections.iter().map(|it| &it.anchor[..]).collect();
    assert_eq!(anchors, ["chapter-1-x", "a-b-c", "a-b-c-1"]);
    assert_eq!(page.title, "Chapter 1: x");
}

#[test]
fn code_is_escaped_and_marked() {
    let page = rendered("```rust\nlet a = \"<b>\"; // c\n```\n");
    let expected = "<i class=\"keyword\">let</i> a = \
                    <i class=\"literal\">&quot;&lt;b&gt;&quot;</i>; \
                    <i class=\"comment\">// c</i>";
    assert!(page.html.contains(expected), "{}", page.html);
}

#[test]
fn paths_are_relative_to_the_page() {
    let from = Path::new("chapters/01-a/README.md");
    let to = resolve(from, "../../docs/./style.md#x");
    assert_eq!(to, Some((PathBuf::from("docs/style.md"), "x".to_string())));
    assert_eq!(relative(from, Path::new("index.html")), "../../index.html");
    assert_eq!(resolve(from, "mailto:a@b"), None);
    for (file, page) in [("a/README.md", "a/index.html"), ("b.md", "b.html"), ("c.rs", "c.rs.html")]
    {
        assert_eq!(page_of(Path::new(file)), Path::new(page));
    }
}

#[test]
fn broken_links_are_found() {
    let page = |text: &str| text.as_bytes().to_vec();
    let mut site = Site::new();
    site.insert("a.html".into(), page("<p id=\"x\"> <a href=\"b/c.html#y\"> <a href=\"#x\">"));
    site.insert("b/c.html".into(), page("<a href=\"../a.html#x\"> <img src=\"d.svg\">"));
    assert_eq!(broken(&site), ["a.html: b/c.html#y", "b/c.html: d.svg"]);
}

#[test]
fn the_book_has_no_broken_links() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = tree::chapters(&root).into_iter();
    let lists: Vec<_> = folders.map(|(_, folder)| examples::list(&folder, &[])).collect();
    let extras = Extras { examples: &|_| None, playground: true };
    let mut site = site(&root, extras, &lists).expect("all files can be read");
    site.insert(PLAYGROUND.into(), Vec::new());
    assert_eq!(broken(&site), Vec::<String>::new());
    assert!(site.len() > 20);
}

#[test]
fn programs_can_be_edited_and_run() {
    let text = "```simple cases/a.smp\n// 2 -> 4\n// -3 -> 9\nreturn arg*arg; // \"<b>\"\n```\n\
                ```regions cases/b.rv\n# 2 5 -> 32\n# 3 4 -> 81\n(x)\n```\n\
                ```rust src/c.rs\nlet d = 1;\n```\n";
    let page = rendered(text);
    let links: Vec<&str> = page.html.split("class=\"run\" href=\"").skip(1).collect();
    let program = "%2F%2F%202%20-%3E%204%0A%2F%2F%20-3%20-%3E%209%0A\
                   return%20arg*arg%3B%20%2F%2F%20%22%3Cb%3E%22%0A";
    let first = format!(
        "../../playground/index.html#chapter=1&amp;language=smp&amp;arguments=2%20-3&amp;\
         source={program}\""
    );
    assert!(links[0].starts_with(&first), "{}", links[0]);
    assert!(links[1].contains("language=rv&amp;arguments=2%205&amp;source="), "{}", links[1]);
    assert_eq!(links.len(), 2);
}
