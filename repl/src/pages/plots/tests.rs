//! Draws plots and compares them with files; labels never overlap, and texts stay texts.

use std::path::Path;

use arbiter_tests::assert_golden_file;

use super::*;

const STYLE: &str = include_str!("plot.css");

fn golden(name: &str, found: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pages/plots/golden");
    assert_golden_file(&folder.join(name), found);
}

fn bar(label: impl ToString, value: f64, text: impl ToString) -> Bar {
    let (label, text) = (label.to_string(), text.to_string());
    Bar { label, value, text }
}

/// Returns the distribution of the sum of dice with equally many faces.
fn dice(count: usize, faces: usize, caption: &str) -> Chart {
    let mut chances = vec![1.0];
    for _ in 0..count {
        let mut next = vec![0.0; chances.len() + faces - 1];
        for (at, chance) in chances.iter().enumerate() {
            for face in 0..faces {
                next[at + face] += chance / faces as f64;
            }
        }
        chances = next;
    }
    let bars = chances.iter().enumerate();
    let bars =
        bars.map(|(at, chance)| bar(at + count, *chance, format!("{:.1} %", chance * 100.0)));
    Chart {
        caption: caption.to_owned(),
        bars: bars.collect(),
    }
}

fn with_labels(mut chart: Chart, least: usize, most: usize) -> Chart {
    let known = |label: usize| {
        chart
            .bars
            .iter()
            .find(|bar| bar.label == label.to_string())
            .cloned()
    };
    let bars = (least..=most).map(|label| known(label).unwrap_or_else(|| bar(label, 0.0, "0.0 %")));
    chart.bars = Vec::from_iter(bars);
    chart
}

fn file(title: &str, charts: &[Chart]) -> String {
    plot_file(title, &plots_of_charts(charts))
}

/// A text of a file: its place, its end, and its height.
struct Placed {
    from: f64,
    to: f64,
    y: f64,
    text: String,
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let from = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[from..].split('"').next()
}

/// Returns the texts of a file that has one plot, with an estimate of their widths.
fn texts(file: &str) -> Vec<Placed> {
    let texts = file.split("<text").skip(1).map(|rest| {
        let (tag, rest) = rest.split_once('>').unwrap();
        let inside = rest.split("</text>").next().unwrap();
        let text = inside.rsplit("</title>").next().unwrap().to_owned();
        let number = |name| attribute(tag, name).unwrap().parse::<f64>().unwrap();
        let room = text.chars().count() as f64 * 7.0;
        let x = number("x");
        let from = match attribute(tag, "text-anchor") {
            Some("middle") => x - room / 2.0,
            Some("end") => x - room,
            _ => x,
        };
        Placed {
            from,
            to: from + room,
            y: number("y"),
            text,
        }
    });
    texts.collect()
}

fn assert_no_overlap(file: &str) {
    let texts = texts(file);
    for (at, one) in texts.iter().enumerate() {
        assert!(one.from >= 0.0 && one.to <= 720.0, "outside: {}", one.text);
        for other in &texts[at + 1..] {
            let is_beside = one.to <= other.from || other.to <= one.from;
            assert!(
                is_beside || (one.y - other.y).abs() >= 12.0,
                "{} and {}",
                one.text,
                other.text
            );
        }
    }
}

#[test]
fn a_distribution_shows_each_result_and_at_least_as_much() {
    let found = file("", &[dice(2, 6, "2d6")]);
    golden("distribution.svg", &found);
    assert!(
        found.contains("7: 16.7 %, at least 58.3 %; 8: 13.9 %, at least 41.7 %"),
        "{found}"
    );
}

#[test]
fn distributions_of_the_same_results_are_compared_and_others_stand_below_one_another() {
    let pools = [
        with_labels(dice(2, 6, "2d6"), 1, 12),
        with_labels(dice(1, 12, "1d12"), 1, 12),
        with_labels(dice(3, 4, "3d4"), 1, 12),
    ];
    let found = file("odds", &pools);
    golden("comparison.svg", &found);
    assert!(
        found.contains("1d12: 1: 8.3 %, at least 100.0 %"),
        "{found}"
    );
    let two = [dice(2, 6, "total"), dice(1, 4, "impact")];
    assert_eq!(plots_of_charts(&two).len(), 2);
    golden("two_distributions.svg", &file("odds of d8", &two));
}

#[test]
fn rates_have_their_intervals() {
    let rate = |name: &str, rate, low, high| Rate {
        name: name.to_owned(),
        rate,
        low,
        high,
    };
    let rates = [
        rate("village", 0.55, 0.48, 0.62),
        rate(
            "a wolfpack with a name that is much too long",
            0.45,
            0.38,
            0.52,
        ),
        rate("nobody", 0.0, 0.0, 0.02),
    ];
    let found = plot_file(
        "Low Tide: 200 games",
        &[rates_plot("winners, 95 % intervals", &rates)],
    );
    golden("rates.svg", &found);
    assert!(
        found.contains("village: 55.0 %, 48.0 % to 62.0 %"),
        "{found}"
    );
    assert_no_overlap(&plot_file("", &[rates_plot("winners", &rates)]));
}

#[test]
fn lengths_share_columns_if_there_are_many() {
    let lengths = |name: &str, values: &[(f64, u64)]| Lengths {
        name: name.to_owned(),
        values: values.to_vec(),
        mean: 6.25,
        median: 6.0,
    };
    let days = [(3.0, 1), (4.0, 20), (6.0, 40), (7.0, 25), (12.0, 2)];
    let found = plot_file("", &[lengths_plot(&lengths("days", &days))]);
    golden("lengths.svg", &found);
    assert!(
        found.contains("mean 6.25, median 6; 3: 1 (1.1 %); 4: 20 (22.7 %)"),
        "{found}"
    );
    let many: Vec<(f64, u64)> = (0..500).map(|at| (f64::from(at), 2)).collect();
    let found = plot_file("", &[lengths_plot(&lengths("moves", &many))]);
    assert!(
        found.contains("<title>480 to 499: 40 (4.0 %)</title>"),
        "{found}"
    );
    assert_no_overlap(&found);
    for odd in [&[][..], &[(5.0, 1)], &[(0.25, 1), (0.5, 3)]] {
        let found = plot_file("", &[lengths_plot(&lengths("odd", odd))]);
        assert!(!found.contains("NaN") && !found.contains("inf"), "{found}");
    }
}

#[test]
fn names_are_rows_with_their_values() {
    let bars = vec![
        bar("Ann", 3.0, "3 votes"),
        bar("Bo", 1.0, "1 vote"),
        bar("nobody", 0.0, "none"),
    ];
    let chart = Chart {
        caption: "votes".to_owned(),
        bars,
    };
    let found = file("", &[chart]);
    golden("names.svg", &found);
    assert!(
        found.contains("<desc>votes: Ann: 3 votes; Bo: 1 vote; nobody: none</desc>"),
        "{found}"
    );
}

#[test]
fn labels_never_overlap() {
    for count in [1, 2, 40, 200, 2000] {
        let distribution = dice(1, count, "dice");
        let mut wide = distribution.clone();
        for bar in &mut wide.bars {
            bar.label = format!("{0}00000 to {0}99999", bar.label);
        }
        let mut plain = distribution.clone();
        plain.bars[0].value = 7.0;
        let mut names = distribution.clone();
        for bar in &mut names.bars {
            bar.label = format!("a name that is long, number {}", bar.label);
            bar.text = "a value that is long, and even longer".to_owned();
        }
        for chart in [distribution.clone(), wide, plain, names] {
            assert_no_overlap(&file("", &[chart]));
        }
        assert_no_overlap(&file("", &[distribution.clone(), distribution]));
    }
}

#[test]
fn hostile_texts_stay_texts() {
    let hostile = "</text></title></desc><script>alert(1)</script>\" onload=\"x\" ]]> &lt;\u{0}\u{1b}\u{fffe}";
    let bars = vec![
        bar(hostile, 1.0, hostile),
        bar("2", f64::NAN, hostile),
        bar("3", -4.0, ""),
    ];
    let chart = Chart {
        caption: hostile.to_owned(),
        bars,
    };
    let mut numbers = chart.clone();
    numbers.bars.remove(0);
    let rate = Rate {
        name: hostile.to_owned(),
        rate: f64::NAN,
        low: -1.0,
        high: 7.0,
    };
    let lengths = Lengths {
        name: hostile.to_owned(),
        values: vec![(1.0, 1)],
        mean: 1.0,
        median: 1.0,
    };
    let mut pools = [dice(1, 4, hostile), dice(1, 4, hostile)];
    pools[1].caption.push('2');
    let mut plots = plots_of_charts(&[chart, numbers]);
    plots.extend(plots_of_charts(&pools));
    plots.extend([rates_plot(hostile, &[rate]), lengths_plot(&lengths)]);
    let found = plot_file(hostile, &plots);
    assert!(
        !found.contains("<script") && !found.contains("\" onload"),
        "{found}"
    );
    assert!(
        !found.contains(['\u{0}', '\u{1b}', '\u{fffe}']) && !found.contains("NaN"),
        "{found}"
    );
    let opened = found.matches('<').count() - found.matches("</").count();
    assert_eq!(opened, found.matches("</").count(), "{found}");
}

/// Returns the part of light that a colour reflects, as WCAG computes it.
fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let part = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

#[test]
fn texts_and_shapes_can_be_told_from_the_ground_in_light_and_dark() {
    let (light, dark) = STYLE.split_once("@media").unwrap();
    let colour = |style: &str, rule: &str| {
        let rule = style
            .split(&format!("{rule} {{"))
            .nth(1)
            .unwrap_or_else(|| panic!("{rule}"));
        let at = rule.find('#').unwrap();
        rule[at..at + 7].to_owned()
    };
    for style in [light, dark] {
        let ground = colour(style, ".back");
        for text in ["text", ".axis"] {
            let found = contrast(&colour(style, text), &ground);
            assert!(found >= 4.5, "{text} on {ground}: {found}");
        }
        for shape in [
            ".bar",
            ".line",
            ".spot",
            ".s1 .line",
            ".s2 .line",
            ".s3 .line",
            ".s4 .line",
            ".s5 .line",
        ] {
            let found = contrast(&colour(style, shape), &ground);
            assert!(found >= 3.0, "{shape} on {ground}: {found}");
        }
    }
    assert!(contrast("#000000", "#ffffff") > 20.9);
}
