//! Version 1, the bytes: whole numbers, decimals and text. Frozen.

/// Powers of ten that an f64 holds exactly and the number form uses.
const TENS: [f64; 8] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7];
/// Largest whole number below which every whole number is an f64.
const EXACT: u64 = 1 << 53;
/// Exponent code of a number that is stored as it is.
const RAW: u64 = 15;
/// Exponent code of a negative number; its absolute value follows.
const NEGATIVE: u64 = 0;
/// Code of the exponent 0; codes 1 to 14 are 10^-7 to 10^6.
const UNIT: i32 = 8;

/// The bytes are not of this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// 7 bits per byte, low ones first; the highest bit says that more follow.
pub fn put_uint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push((n & 0x7f) as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Small whole numbers of either sign: 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …
pub fn put_int(out: &mut Vec<u8>, n: i64) {
    put_uint(out, ((n << 1) ^ (n >> 63)) as u64);
}

/// A finite or non-finite number, bit by bit: m * 10^e as one whole number `m << 4 | code(e)` where that is exact.
pub fn put_number(out: &mut Vec<u8>, x: f64) {
    if x < 0.0 && decimal(-x).is_some() {
        put_uint(out, NEGATIVE);
        put_number(out, -x);
    } else if let Some((mantissa, exponent)) = decimal(x) {
        let code = (exponent + UNIT) as u64;
        put_uint(out, mantissa << 4 | code);
    } else {
        put_uint(out, RAW);
        out.extend_from_slice(&x.to_bits().to_le_bytes());
    }
}

/// Length in bytes, then UTF-8.
pub fn put_text(out: &mut Vec<u8>, text: &str) {
    put_uint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// The value of `mantissa * 10^exponent`: one rounding of exact operands, so the nearest f64.
fn value(mantissa: u64, exponent: i32) -> f64 {
    let m = mantissa as f64;
    let ten = TENS[exponent.unsigned_abs() as usize];
    if exponent < 0 { m / ten } else { m * ten }
}

/// Shortest decimal of a number >= 0, if it is in reach and gives the same bits back.
fn decimal(x: f64) -> Option<(u64, i32)> {
    let text = format!("{x:e}");
    let (digits, exponent) = text.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut mantissa: u64 = format!("{whole}{fraction}").parse().ok()?;
    let mut exponent = exponent - i32::try_from(fraction.len()).ok()?;
    while exponent > 6 && mantissa < EXACT / 10 {
        mantissa *= 10;
        exponent -= 1;
    }
    let fits = mantissa < EXACT && (-7..=6).contains(&exponent);
    (fits && value(mantissa, exponent).to_bits() == x.to_bits()).then_some((mantissa, exponent))
}

/// Takes bytes apart; never reads beyond the end.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// From the first byte.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Bytes that are left.
    pub const fn left(&self) -> usize {
        self.rest.len()
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        let (first, rest) = self.rest.split_first().ok_or(Malformed)?;
        self.rest = rest;
        Ok(*first)
    }

    /// The next bytes as they are.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    /// See [`put_uint`].
    pub fn uint(&mut self) -> Result<u64, Malformed> {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(Malformed);
            }
            n |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(n);
            }
        }
        Err(Malformed)
    }

    /// See [`put_int`].
    pub fn int(&mut self) -> Result<i64, Malformed> {
        let n = self.uint()?;
        Ok((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    /// See [`put_number`].
    pub fn number(&mut self) -> Result<f64, Malformed> {
        match self.uint()? {
            NEGATIVE => match self.uint()? {
                NEGATIVE | RAW => Err(Malformed),
                packed => Self::unpack(packed).map(|x| -x),
            },
            RAW => {
                let bytes = self.bytes(8)?.try_into().map_err(|_| Malformed)?;
                Ok(f64::from_bits(u64::from_le_bytes(bytes)))
            }
            packed => Self::unpack(packed),
        }
    }

    fn unpack(packed: u64) -> Result<f64, Malformed> {
        let (mantissa, code) = (packed >> 4, packed & 15);
        let exponent = i32::try_from(code).map_err(|_| Malformed)? - UNIT;
        if mantissa >= EXACT || !(-7..=6).contains(&exponent) {
            return Err(Malformed);
        }
        Ok(value(mantissa, exponent))
    }

    /// See [`put_text`].
    pub fn text(&mut self) -> Result<&'a str, Malformed> {
        let length = usize::try_from(self.uint()?).map_err(|_| Malformed)?;
        core::str::from_utf8(self.bytes(length)?).map_err(|_| Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn through(x: f64) -> (usize, f64) {
        let mut out = Vec::new();
        put_number(&mut out, x);
        let mut reader = Reader::new(&out);
        let back = reader.number().expect("its own bytes");
        assert_eq!(reader.left(), 0);
        (out.len(), back)
    }

    #[test]
    fn usual_numbers_are_short_and_exact() {
        for (x, most) in [
            (0.0, 1),
            (1.0, 1),
            (45.0, 2),
            (24_000.0, 2),
            (0.035, 2),
            (2.35, 2),
            (6.88, 2),
            (-0.05, 2),
            (4_200_000.0, 2),
            (131_072.0, 4),
            (3_412_345.67, 5),
            (1e12, 4),
        ] {
            let (length, back) = through(x);
            assert_eq!(back.to_bits(), x.to_bits());
            assert!(length <= most, "{x} takes {length} bytes");
        }
    }

    #[test]
    fn odd_numbers_are_exact() {
        let odd = [
            -0.0,
            f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            f64::MIN,
            0.1 + 0.2,
            1.0 / 3.0,
            9_007_199_254_740_991.0,
            9_007_199_254_740_993.0,
            1e22,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        for x in odd {
            assert_eq!(through(x).1.to_bits(), x.to_bits(), "{x:e}");
        }
        assert!(through(f64::NAN).1.is_nan());
    }

    proptest! {
        #[test]
        fn every_number_is_exact(bits: u64) {
            let x = f64::from_bits(bits);
            prop_assert_eq!(through(x).1.to_bits(), bits);
        }

        #[test]
        fn every_decimal_is_exact(m in -100_000_000i64..100_000_000, e in -12i32..12) {
            let x: f64 = format!("{m}e{e}").parse().expect("a number");
            prop_assert_eq!(through(x).1.to_bits(), x.to_bits());
        }

        #[test]
        fn whole_numbers_come_back(n: u64, i: i64) {
            let mut out = Vec::new();
            put_uint(&mut out, n);
            put_int(&mut out, i);
            let mut reader = Reader::new(&out);
            prop_assert_eq!(reader.uint(), Ok(n));
            prop_assert_eq!(reader.int(), Ok(i));
            prop_assert_eq!(reader.left(), 0);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = Reader::new(&bytes).uint();
            let _ = Reader::new(&bytes).int();
            let _ = Reader::new(&bytes).number();
            let _ = Reader::new(&bytes).text();
        }
    }
}
