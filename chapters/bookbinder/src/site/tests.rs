//! Tests of the site.
use super::links::{page_of, relative, resolve};
use super::*;
use crate::examples;

/// The page of a text in `chapters/01-a`.
fn rendered(text: &str) -> Rendered {
    let example = |path: &Path| Some(Path::new("examples").join(path).with_extension("html"));
    markdown::render(Path::new("/nowhere"), Path::new("chapters/01-a/README.md"), text, &example)
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
    let site = site(&root, &|_| None, &lists).expect("all files can be read");
    assert_eq!(broken(&site), Vec::<String>::new());
    assert!(site.len() > 20);
}
