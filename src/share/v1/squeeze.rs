//! Version 1, the squeeze: raw deflate whose window already holds words that plans often use. Frozen, words included.

use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use super::wire::Malformed;

/// What the window holds before the first byte: usual words nearest to the end.
const WORDS: &[u8] = include_bytes!("words.txt");

/// First byte of a body that is stored as it is.
const STORED: u8 = 0;
/// First byte of a body that is deflated.
const DEFLATED: u8 = 1;

/// The shortest of the forms.
pub fn squeeze(plain: &[u8]) -> Vec<u8> {
    let stored = [&[STORED], plain].concat();
    // Strategies of deflate: 0 chooses its own code tables, 4 uses the fixed ones (short plans).
    [deflate(plain, 0), deflate(plain, 4)]
        .into_iter()
        .flatten()
        .fold(
            stored,
            |best, next| if next.len() < best.len() { next } else { best },
        )
}

fn deflate(plain: &[u8], strategy: i32) -> Option<Vec<u8>> {
    let mut compressor = CompressorOxide::new(create_comp_flags_from_zip_params(10, 0, strategy));
    let mut out = Vec::new();
    let mut step = |bytes: &[u8], flush| {
        compress_to_output(&mut compressor, bytes, flush, |part| {
            out.extend_from_slice(part);
            true
        })
        .1 == bytes.len()
    };
    // The words end on a byte boundary; what they were squeezed to is thrown away, the window keeps them.
    let primed = step(WORDS, TDEFLFlush::Sync);
    let done = step(plain, TDEFLFlush::Finish);
    let words = deflated_words(strategy);
    (primed && done && out.len() >= words)
        .then(|| [&[DEFLATED], out.get(words..).unwrap_or_default()].concat())
}

fn deflated_words(strategy: i32) -> usize {
    let mut compressor = CompressorOxide::new(create_comp_flags_from_zip_params(10, 0, strategy));
    let mut length = 0;
    compress_to_output(&mut compressor, WORDS, TDEFLFlush::Sync, |part| {
        length += part.len();
        true
    });
    length
}

/// The plain bytes, of which there may be at most `most`.
pub fn unsqueeze(body: &[u8], most: usize) -> Result<Vec<u8>, Malformed> {
    let (form, rest) = body.split_first().ok_or(Malformed)?;
    match *form {
        STORED if rest.len() <= most => Ok(rest.to_vec()),
        DEFLATED => inflate(rest, most),
        _ => Err(Malformed),
    }
}

fn inflate(mut bytes: &[u8], most: usize) -> Result<Vec<u8>, Malformed> {
    let mut out = WORDS.to_vec();
    let mut end = out.len();
    let limit = WORDS.len() + most;
    let mut state = Box::<DecompressorOxide>::default();
    loop {
        out.resize((out.len() * 2).max(4096).min(limit), 0);
        let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, taken, given) = decompress(&mut state, bytes, &mut out, end, flags);
        end += given;
        bytes = bytes.get(taken..).ok_or(Malformed)?;
        match status {
            TINFLStatus::Done if bytes.is_empty() => {
                return Ok(out.get(WORDS.len()..end).ok_or(Malformed)?.to_vec());
            }
            TINFLStatus::HasMoreOutput if out.len() < limit => {}
            _ => return Err(Malformed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_words_help() {
        let text = b"\x11Support assistant\x0cBlack Friday\x10America/New_York";
        let body = squeeze(text);
        assert!(
            body.len() < text.len() / 2,
            "{} of {}",
            body.len(),
            text.len()
        );
        assert_eq!(unsqueeze(&body, 1000).as_deref(), Ok(&text[..]));
    }

    #[test]
    fn a_body_that_unfolds_too_far_is_refused() {
        let body = squeeze(&vec![7; 100_000]);
        assert!(body.len() < 1_000);
        assert_eq!(unsqueeze(&body, 99_999), Err(Malformed));
        assert_eq!(unsqueeze(&body, 100_000).map(|v| v.len()), Ok(100_000));
    }

    proptest! {
        #[test]
        fn what_goes_in_comes_out(bytes: Vec<u8>) {
            let body = squeeze(&bytes);
            prop_assert!(body.len() <= bytes.len() + 1);
            prop_assert_eq!(unsqueeze(&body, 1 << 20), Ok(bytes));
        }

        #[test]
        fn any_bytes_are_read_or_refused(mut bytes: Vec<u8>) {
            let _ = unsqueeze(&bytes, 1 << 16);
            bytes.insert(0, DEFLATED);
            let _ = unsqueeze(&bytes, 1 << 16);
        }
    }
}
