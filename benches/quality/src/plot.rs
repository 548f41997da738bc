//! The plot: a row for each program, and on it the ratio of each compiler.
use super::compilers::COMPILERS;
use super::measure::Measured;
use std::fmt::Write;

const ROW: f64 = 18.0;
const LEFT: f64 = 170.0;
const WIDTH: f64 = 560.0;
const TOP: f64 = 44.0;
/// The limits of the ratios; the axis is logarithmic.
const LIMITS: (f64, f64) = (0.4, 8.0);
const COLORS: [&str; COMPILERS.len()] =
    ["#c62828", "#9e9e9e", "#90caf9", "#1565c0", "#2e7d32", "#f9a825", "#ef9a9a"];

pub fn plot(measured: &[Measured]) -> String {
    let height = TOP + ROW * measured.len() as f64 + 10.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        LEFT + WIDTH + 20.0
    );
    for (at, compiler) in COMPILERS.iter().enumerate() {
        let x = LEFT + WIDTH / COMPILERS.len() as f64 * at as f64;
        dot(&mut svg, x, 10.0, at);
        label(&mut svg, x + 8.0, 14.0, "start", compiler.name);
    }
    for ratio in [0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0] {
        let x = place(ratio);
        label(&mut svg, x, TOP - 10.0, "middle", &format!("{ratio}"));
        line(&mut svg, (x, TOP - 6.0), (x, height - 6.0));
    }
    for (row, program) in measured.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        label(&mut svg, LEFT - 8.0, y + 4.0, "end", &program.name);
        line(&mut svg, (LEFT, y), (LEFT + WIDTH, y));
        // The first compiler is drawn last, above the others.
        for at in (0..COMPILERS.len()).rev() {
            if let Some(ratio) = program.ratio(at) {
                dot(&mut svg, place(ratio), y, at);
            }
        }
    }
    svg + "</svg>\n"
}

fn place(ratio: f64) -> f64 {
    let (low, high) = LIMITS;
    LEFT + WIDTH * (ratio.clamp(low, high) / low).ln() / (high / low).ln()
}

fn dot(svg: &mut String, x: f64, y: f64, compiler: usize) {
    let color = COLORS[compiler];
    let dot = format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{color}\"/>");
    writeln!(svg, "{dot}").expect("text grows");
}

fn label(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let place = format!("x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"");
    writeln!(svg, "<text {place}>{text}</text>").expect("text grows");
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64)) {
    let start = format!("x1=\"{:.1}\" y1=\"{:.1}\"", from.0, from.1);
    let end = format!("x2=\"{:.1}\" y2=\"{:.1}\"", to.0, to.1);
    writeln!(svg, "<line {start} {end} stroke=\"#dddddd\"/>").expect("text grows");
}
