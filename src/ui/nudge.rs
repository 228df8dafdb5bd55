//! Arrow keys in a number field: the digit that was written last goes up or down by one.

/// Where the number under the caret stands: bytes of digits with an optional decimal part.
fn number_at(text: &str, caret: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut spans = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        if !bytes[i].is_ascii_digit() {
            i += 1;
            continue;
        }
        let from = i;
        while i < bytes.len()
            && (bytes[i].is_ascii_digit()
                || (matches!(bytes[i], b'.' | b',')
                    && bytes.get(i + 1).is_some_and(u8::is_ascii_digit)))
        {
            i += 1;
        }
        // the digits of "p99" name a percentile
        let named = from > 0 && matches!(bytes[from - 1], b'p' | b'P');
        if !named {
            spans.push((from, i));
        }
    }
    spans
        .iter()
        .find(|(from, to)| *from <= caret && caret <= *to)
        .or_else(|| spans.iter().rfind(|(_, to)| *to <= caret))
        .or_else(|| spans.first())
        .copied()
}

/// The text with the number at the caret (a byte index) one step of its last digit up or down, and the caret's new
/// place. None without a number, or when the step would leave what a digit string can say.
#[must_use]
pub fn nudge(text: &str, caret: usize, up: bool) -> Option<(String, usize)> {
    let (from, to) = number_at(text, caret)?;
    let digits = &text[from..to];
    // "1,234": thousands marks stay out of the arithmetic and come back by the canonical form
    let plain: String = digits.chars().filter(|c| *c != ',').collect();
    let decimals = plain.split_once('.').map_or(0, |(_, d)| d.len());
    let value: i64 = plain.replace('.', "").parse().ok()?;
    let minus = text[..from].ends_with(['-', '\u{2212}']);
    let value = if minus { -value } else { value };
    let stepped = if up {
        value.checked_add(1)?
    } else {
        value.checked_sub(1)?
    };
    if stepped < 0 && !minus {
        return None;
    }
    let magnitude = format!("{:0width$}", stepped.unsigned_abs(), width = decimals + 1);
    let (whole, fraction) = magnitude.split_at(magnitude.len() - decimals);
    let written = if decimals == 0 {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    };
    let head = if minus && stepped >= 0 {
        text[..from].trim_end_matches(['-', '\u{2212}'])
    } else {
        &text[..from]
    };
    let caret = head.len() + written.len();
    Some((format!("{head}{written}{}", &text[to..]), caret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_digit_moves() {
        for (text, caret, up, want) in [
            ("24k", 3, true, "25k"),
            ("3.5 %", 3, true, "3.6 %"),
            ("3.9", 3, true, "4.0"),
            ("1.0", 0, false, "0.9"),
            ("0.10", 4, false, "0.09"),
            ("24k to 68k", 1, true, "25k to 68k"),
            ("24k to 68k", 10, false, "24k to 67k"),
            ("11, p99 30", 5, true, "12, p99 30"),
            ("11, p99 30", 10, true, "11, p99 31"),
            ("9", 1, true, "10"),
            ("1,999", 5, true, "2000"),
            ("-2 %", 2, true, "-1 %"),
            ("-1 %", 2, true, "0 %"),
        ] {
            assert_eq!(
                nudge(text, caret, up).map(|x| x.0).as_deref(),
                Some(want),
                "{text} at {caret}"
            );
        }
    }

    #[test]
    fn what_cannot_move_stays() {
        assert_eq!(nudge("none", 2, true), None);
        assert_eq!(nudge("0", 1, false), None);
        assert_eq!(nudge("", 0, true), None);
        assert_eq!(nudge("99999999999999999999999", 3, true), None);
        assert_eq!(nudge("±é", 1, true), None);
    }
}
