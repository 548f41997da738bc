//! Tests of slides.
use super::*;

const TEXT: &str = "# Chapter 1: A & b\n\n*One page.*\n\n**Contents:** [B](#b)\n\n\
    | c | d |\n|---|---|\n| [e](f.md) | `g` ![h](figures/a.svg) |\n\n\
    ## B\n\nA compiler has parts. Each is a **stage** with\nits `result`. C. Click says so. \
    **A long one. It goes on.**\n\n![Start & end](figures/a.svg)\n\n\
    ```rust src/a.rs f\nfn f() {}\n```\n\n\
    ## C\n\nLook here:\n\nNo term is in this. The next is not shown.\n\n\
    ## Exercises\n\n1. D\n\n## Sources\n\n- E\n";

fn deck(text: &str) -> Result<Vec<Slide>, String> {
    slides(text, &|path| (path == "figures/a.svg").then(|| b"<svg/>".to_vec()))
}

#[test]
fn sections_figures_and_code_are_slides() {
    let slides = deck(TEXT).expect("a figure");
    let headings: Vec<&str> = slides.iter().map(|it| it.heading.as_str()).collect();
    let title = "Chapter 1: A & b";
    assert_eq!(headings, [title, title, "B", "B", "B", "C"]);
    assert!(slides[0].is_title && !slides[1].is_title);
    assert_eq!(slides[0].body, "<p><em>One page.</em></p>\n");
    let row = "<td>e</td><td><code>g</code> <img src=\"data:image/svg+xml;base64,PHN2Zy8+\"";
    assert!(slides[1].body.contains(row), "{}", slides[1].body);
    assert_eq!(
        slides[2].body,
        "<ul>\n<li>Each is a <strong>stage</strong> with its <code>result</code>.</li>\n\
         <li><strong>A long one.</strong></li>\n<li><strong>It goes on.</strong></li>\n</ul>\n"
    );
    let figure = "src=\"data:image/svg+xml;base64,PHN2Zy8+\"><figcaption>Start &amp; end<";
    assert!(slides[3].body.contains(figure), "{}", slides[3].body);
    assert!(slides[4].body.contains("<figcaption><code>src/a.rs</code></figcaption>"));
    assert_eq!(slides[5].body, "<ul>\n<li>No term is in this.</li>\n</ul>\n");
}

#[test]
fn a_page_needs_no_other_file() {
    let page = page(&deck(TEXT).expect("a figure"));
    assert!(page.contains("<title>Chapter 1: A &amp; b</title>"), "{page}");
    assert!(page.contains("<footer>Chapter 1: A &amp; b · 6 / 6</footer>"), "{page}");
    assert_eq!(page.matches("<section ").count(), 6);
    for outside in ["http:", "https:", "<link", "href=", "src=\"figures", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("ArrowRight") && page.contains("break-after: page"));
}

#[test]
fn long_code_is_left_out_and_long_lists_are_split() {
    let fence = |lines: usize| format!("## A\n\nB.\n\n```text\n{}```\n", "c\n".repeat(lines));
    assert_eq!(deck(&fence(LINES)).map(|it| it.len()), Ok(2));
    assert_eq!(deck(&fence(LINES + 1)).map(|it| it.len()), Ok(1));
    let many = format!("## A\n\n{}", "**B** is new. ".repeat(SENTENCES + 1));
    assert_eq!(deck(&many).map(|it| it.len()), Ok(2));
}

#[test]
fn a_missing_figure_is_an_error() {
    let reason = deck("## A\n\n![b](figures/none.svg)\n").expect_err("no figure");
    assert_eq!(reason, "the figure figures/none.svg is not there");
}

#[test]
fn base_64_has_padding() {
    let check = |text: &str, expected| assert_eq!(base64(text.as_bytes()), expected);
    check("", "");
    check("M", "TQ==");
    check("Ma", "TWE=");
    check("Man", "TWFu");
}
