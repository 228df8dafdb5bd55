//! Words that many places use.

crate::messages! {
    /// Words that many places use.
    pub enum Common {
        FuturesOf { done: String, of: String } = "futures-of";
    }
}
