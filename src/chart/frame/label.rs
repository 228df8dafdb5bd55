//! Labels that do not touch.

/// Smallest distance of two labels on one side of a chart, in CSS pixels.
pub const APART: f64 = 14.0;

/// Moves heights apart so that neighbours are at least `apart` from each other and all lie between `top` and `bottom`,
/// as near as possible to where they want to be. The order of the result is that of the input; equal heights keep their
/// order. If they do not fit, they share the room evenly.
#[must_use]
pub fn spread(wanted: &[f64], apart: f64, top: f64, bottom: f64) -> Vec<f64> {
    let count = wanted.len();
    if count == 0 {
        return Vec::new();
    }
    let room = (bottom - top).max(0.0);
    let apart = if count > 1 {
        apart.min(room / (count - 1) as f64)
    } else {
        apart
    };
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    // blocks of touching labels: (sum of wished first positions, members)
    let mut blocks: Vec<(f64, Vec<usize>)> = Vec::new();
    let start = |block: &(f64, Vec<usize>)| -> f64 {
        let extent = apart * (block.1.len() - 1) as f64;
        (block.0 / block.1.len() as f64).clamp(top, (bottom - extent).max(top))
    };
    for index in order {
        let mut block = (wanted[index], vec![index]);
        while let Some(last) = blocks.pop() {
            let end = start(&last) + apart * last.1.len() as f64;
            if end <= start(&block) + 1e-9 {
                blocks.push(last);
                break;
            }
            let shift = apart * last.1.len() as f64;
            let mut members = last.1;
            let moved = block.0 - shift * block.1.len() as f64;
            members.extend(block.1);
            block = (last.0 + moved, members);
        }
        blocks.push(block);
    }
    let mut out = vec![0.0; count];
    for block in &blocks {
        let first = start(block);
        for (place, index) in block.1.iter().enumerate() {
            out[*index] = first + apart * place as f64;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn labels_never_touch_and_never_leave(wanted in prop::collection::vec(0.0..200.0f64, 0..8)) {
            let got = spread(&wanted, APART, 0.0, 200.0);
            let mut sorted = got.clone();
            sorted.sort_by(f64::total_cmp);
            prop_assert!(sorted.windows(2).all(|w| w[1] - w[0] >= APART - 1e-6));
            prop_assert!(sorted.iter().all(|y| *y >= -1e-6 && *y <= 200.0 + 1e-6));
            for (i, a) in wanted.iter().enumerate() {
                for (j, b) in wanted.iter().enumerate() {
                    prop_assert!(a >= b || got[i] <= got[j], "order is kept");
                }
            }
        }
    }

    #[test]
    fn labels_that_do_not_touch_stay_where_they_are() {
        assert_eq!(
            spread(&[10.0, 60.0, 30.0], 14.0, 0.0, 100.0),
            [10.0, 60.0, 30.0]
        );
        assert_eq!(spread(&[50.0, 50.0], 14.0, 0.0, 100.0), [43.0, 57.0]);
        assert_eq!(spread(&[99.0, 99.0], 14.0, 0.0, 100.0), [86.0, 100.0]);
    }

    #[test]
    fn too_many_share_the_room() {
        assert_eq!(spread(&[5.0, 5.0, 5.0], 14.0, 0.0, 10.0), [0.0, 5.0, 10.0]);
        assert!(spread(&[], 14.0, 0.0, 10.0).is_empty());
    }
}
