//! What the command line says on standard error.

crate::messages! {
    /// Sentences of the command line.
    pub enum Cli {
        NoCommand = "cli-no-command";
        UnknownCommand { command: String } = "cli-unknown-command";
        UnknownArgument { argument: String } = "cli-unknown-argument";
        Missing { what: String } = "cli-missing";
        NoValue { argument: String } = "cli-no-value";
        NotOneOf { argument: String, value: String, valid: String } = "cli-not-one-of";
        NotANumber { argument: String, value: String, most: String } = "cli-not-a-number";
        Twice { argument: String } = "cli-twice";
        NotText = "cli-not-text";
        NotAnAddress { address: String } = "cli-not-an-address";
        UnknownStory { name: String, names: String } = "cli-unknown-story";
        NoSuchFile { file: String } = "cli-no-such-file";
        IsAFolder { file: String } = "cli-is-a-folder";
        MayNotRead { file: String } = "cli-may-not-read";
        CannotRead { file: String, reason: String } = "cli-cannot-read";
        FileIsNotText { file: String } = "cli-file-is-not-text";
        CannotWrite { file: String, reason: String } = "cli-cannot-write";
        CannotPrint { reason: String } = "cli-cannot-print";
        NotANumberCameOut = "cli-not-a-number-came-out";
        AndOthers { others: u32 } = "cli-and-others";
        Futures = "cli-futures";
    }
}
