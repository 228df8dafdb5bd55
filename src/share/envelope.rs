//! The outside of a link, the same in every version: `p=VERSION.BASE64URL`, where the bytes are the length and checksum
//! of the body, and the body.
//!
//! The length tells a link that was cut off from one that was altered; the version is part of the checksum, so that a
//! newer version is only named when it really is one.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::ShareProblem;

/// What a fragment of ours begins with.
const OURS: &str = "p=";
/// Bytes of length (3, low ones first), check of version and length (1), check of version and body (4).
const HEADER: usize = 8;
/// Most bytes of a body.
const MAX_BODY: usize = 0xff_ffff;

/// Cut links may end within a byte, so the unused bits at the end are compared, not refused.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

fn check(version: u32, bytes: &[u8]) -> [u8; 4] {
    let [a, b, c, d, ..] = xxh3_64_with_seed(bytes, u64::from(version)).to_le_bytes();
    [a, b, c, d]
}

/// A body as a fragment; none if it is too long.
pub fn wrap(version: u32, body: &[u8]) -> Option<String> {
    if body.len() > MAX_BODY {
        return None;
    }
    let [a, b, c, ..] = (body.len() as u64).to_le_bytes();
    let mut bytes = vec![a, b, c, check(version, &[a, b, c])[0]];
    bytes.extend_from_slice(&check(version, body));
    bytes.extend_from_slice(body);
    Some(format!("{OURS}{version}.{}", BASE64.encode(bytes)))
}

/// Most times that a program on the way may have percent-encoded the same link.
const MOST_DRESSES: usize = 3;

/// A fragment without percent-encoding, which no link of ours has: browsers and mail programs add it.
fn undressed(fragment: &str) -> String {
    let mut text = fragment.to_owned();
    for _ in 0..MOST_DRESSES {
        if !text.contains('%') {
            break;
        }
        text = percent_decoded(&text);
    }
    text
}

/// A text with `%20` and the like as what they stand for; a percent sign with anything else behind it stays.
fn percent_decoded(text: &str) -> String {
    let hex = |byte: Option<&u8>| byte.and_then(|b| char::from(*b).to_digit(16));
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// What nobody sees: white space, and characters without width that programs put where a line may break.
fn blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}'
        )
}

/// Version and body of a fragment, of a whole address, or of either with what mail and chat programs add around it.
pub fn unwrap(link: &str) -> Result<(u32, Vec<u8>), ShareProblem> {
    let fragment = ["#", "%23"]
        .iter()
        .find_map(|hash| link.split_once(hash))
        .map_or(link, |x| x.1);
    let fragment: String = undressed(fragment).chars().filter(|c| !blank(*c)).collect();
    if fragment.is_empty() {
        return Err(ShareProblem::Empty);
    }
    let rest = fragment.strip_prefix(OURS).ok_or(ShareProblem::NotOurs)?;
    let (version, code) = rest.split_once('.').unwrap_or((rest, ""));
    if version.len() > 6 || !version.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ShareProblem::NotOurs);
    }
    let version: u32 = version.parse().map_err(|_| ShareProblem::CutOff)?;
    let code = code.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '>', '"', '\'', '*']);
    // One letter alone is 6 bits, no byte.
    let whole = if code.len() % 4 == 1 {
        code.get(..code.len() - 1)
    } else {
        Some(code)
    };
    let bytes = whole
        .and_then(|code| BASE64.decode(code).ok())
        .ok_or(ShareProblem::Altered)?;
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return Err(ShareProblem::CutOff);
    };
    let [a, b, c, short, sum @ ..] = header else {
        return Err(ShareProblem::CutOff);
    };
    let length = usize::from(*a) | usize::from(*b) << 8 | usize::from(*c) << 16;
    if check(version, &[*a, *b, *c])[0] != *short {
        return Err(ShareProblem::Altered);
    }
    if body.len() < length {
        return Err(ShareProblem::CutOff);
    }
    let intact =
        body.len() == length && check(version, body) == *sum && BASE64.encode(&bytes) == code;
    if !intact {
        return Err(ShareProblem::Altered);
    }
    Ok((version, body.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BODY: &[u8] = b"any bytes may stand here, for example these";

    fn link() -> String {
        wrap(1, BODY).expect("short")
    }

    #[test]
    fn comes_back_from_any_dress() {
        let link = link();
        let dresses = [
            link.clone(),
            format!("#{link}"),
            format!("https://planner.example/app/?x=1#{link}"),
            format!("<https://planner.example/#{link}>."),
            format!("  {}\r\n  {}\n", &link[..20], &link[20..]),
            format!("{link}."),
            format!("{link} "),
            format!("{link}\n"),
            format!("{link}.\n"),
            format!("{link}%20"),
            format!("{link}.%20"),
            format!("{link}%2E"),
            format!("{link}%0D%0A"),
            format!("{link}%0a"),
            format!("{link}%2520"),
            format!("{link}%C2%A0"),
            format!("{link}\u{200b}"),
            format!("{link}%E2%80%8B"),
            format!("%20{link}"),
            link.replacen('=', "%3D", 1),
            format!("https://planner.example/?x=%23a#{link}%20"),
            format!("https://planner.example/%23{link}"),
        ];
        for dress in dresses {
            assert_eq!(unwrap(&dress), Ok((1, BODY.to_vec())), "{dress}");
        }
    }

    #[test]
    fn every_cut_is_a_cut() {
        let link = link();
        for end in OURS.len()..link.len() {
            assert_eq!(unwrap(&link[..end]), Err(ShareProblem::CutOff), "{end}");
        }
    }

    #[test]
    fn every_altered_letter_is_noticed() {
        let link = link();
        for at in OURS.len()..link.len() {
            for new in ['A', 'z', '0', '_', '-', '~', 'é'] {
                let mut letters: Vec<char> = link.chars().collect();
                if letters[at] == new {
                    continue;
                }
                letters[at] = new;
                let altered: String = letters.into_iter().collect();
                let problem = unwrap(&altered).expect_err("noticed");
                let named = [ShareProblem::Altered, ShareProblem::NotOurs];
                assert!(named.contains(&problem), "{at} {new}: {problem:?}");
            }
        }
    }

    #[test]
    fn letters_added_at_the_end_are_noticed() {
        assert_eq!(
            unwrap(&format!("{}AAAA", link())),
            Err(ShareProblem::Altered)
        );
        assert_eq!(unwrap(&format!("{}A", link())), Err(ShareProblem::Altered));
    }

    #[test]
    fn other_fragments_are_not_ours() {
        for text in ["", "#", "  ", "https://planner.example/#"] {
            assert_eq!(unwrap(text), Err(ShareProblem::Empty));
        }
        for text in [
            "spend",
            "#overview",
            "q=1.abc",
            "p=latest",
            "p=1234567.A",
            "https://planner.example/",
        ] {
            assert_eq!(unwrap(text), Err(ShareProblem::NotOurs), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_body_comes_back(version in 1u32..100, body: Vec<u8>) {
            let link = wrap(version, &body).expect("short");
            prop_assert_eq!(unwrap(&link), Ok((version, body)));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".*") {
            let _ = unwrap(&text);
            let ours = unwrap(&format!("p=1.{text}"));
            prop_assert!(ours.is_err());
        }
    }
}
