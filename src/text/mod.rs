//! Every word that a person reads: typed messages, whose sentences stand in one folder of Fluent files per language.
//!
//! A message is a variant of an enum made by [`messages!`](crate::messages): its id and the names of its parts are
//! checked by a test against every language's files, so a second language is a folder of files and nothing else.
//! Sentences with parts that are links (the verdict) are taken apart with [`pieces`], so that a language may order the
//! parts as it likes.

use std::cell::RefCell;

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use unic_langid::langid;

pub mod answers;
pub mod cli;
pub mod common;
pub mod editor;
pub mod entries;
pub mod fields;
pub mod format;
pub mod gateway;
pub mod hints;
pub mod import;
pub mod keys;
pub mod outputs;
pub mod problems;
pub mod runner;
pub mod share;
pub mod stories;
pub mod ui;

/// A value in a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text, already written for a person (numbers come formatted).
    Text(String),
    /// A count that chooses a plural form.
    Count(f64),
}

impl From<String> for Value {
    fn from(s: String) -> Self {
        Self::Text(s)
    }
}
impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Self::Text(s.to_owned())
    }
}
impl From<u32> for Value {
    fn from(n: u32) -> Self {
        Self::Count(f64::from(n))
    }
}

/// A sentence with parts.
pub trait Message {
    /// Its id in the Fluent files.
    fn id(&self) -> &'static str;
    /// Its parts by name.
    fn args(&self) -> Vec<(&'static str, Value)>;
    /// Ids and part names of all messages of this kind, for the test that holds the files complete.
    fn catalogue() -> Vec<(&'static str, &'static [&'static str])>
    where
        Self: Sized;
}

/// A run of text, or a part by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Plain text.
    Text(String),
    /// A part: its name in the message, and its text.
    Part(&'static str, String),
}

/// Declares an enum of messages: `RunsOut { pool: String } = "runs-out";` Parts are `String` or `u32` (a count).
#[macro_export]
macro_rules! messages {
    ($(#[$meta:meta])* pub enum $name:ident { $($variant:ident $({ $($part:ident: $ty:ty),* $(,)? })? = $id:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)] // the sentence in the Fluent file is the documentation
        pub enum $name { $($variant $({ $($part: $ty),* })?,)* }
        impl $crate::text::Message for $name {
            fn id(&self) -> &'static str {
                match self { $(Self::$variant $({ $($part: _),* })? => $id,)* }
            }
            fn args(&self) -> Vec<(&'static str, $crate::text::Value)> {
                match self { $(Self::$variant $({ $($part),* })? => vec![$($((stringify!($part), $part.clone().into())),*)?],)* }
            }
            fn catalogue() -> Vec<(&'static str, &'static [&'static str])> {
                vec![$(($id, &[$($(stringify!($part)),*)?])),*]
            }
        }
    };
}

/// The files of English, one per area of the screen.
const ENGLISH: &[&str] = &[
    include_str!("en/answers.ftl"),
    include_str!("en/cli.ftl"),
    include_str!("en/common.ftl"),
    include_str!("en/entries.ftl"),
    include_str!("en/editor.ftl"),
    include_str!("en/fields.ftl"),
    include_str!("en/format.ftl"),
    include_str!("en/import.ftl"),
    include_str!("en/outputs.ftl"),
    include_str!("en/gateway.ftl"),
    include_str!("en/hints.ftl"),
    include_str!("en/problems.ftl"),
    include_str!("en/runner.ftl"),
    include_str!("en/share.ftl"),
    include_str!("en/stories.ftl"),
    include_str!("en/keys.ftl"),
    include_str!("en/ui.ftl"),
];

thread_local! {
    static BUNDLE: RefCell<FluentBundle<FluentResource>> = RefCell::new(bundle(ENGLISH));
}

fn bundle(files: &[&str]) -> FluentBundle<FluentResource> {
    let mut bundle = FluentBundle::new(vec![langid!("en")]);
    bundle.set_use_isolating(false);
    for file in files {
        // A file with an error still gives its good messages; the test below rejects it.
        let resource =
            FluentResource::try_new((*file).to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

fn phrase(id: &str, args: &FluentArgs<'_>) -> String {
    BUNDLE.with_borrow(|bundle| {
        let Some(pattern) = bundle.get_message(id).and_then(|m| m.value()) else {
            return id.to_owned();
        };
        bundle
            .format_pattern(pattern, Some(args), &mut Vec::new())
            .into_owned()
    })
}

/// The sentence as text.
#[must_use]
pub fn say<M: Message>(message: &M) -> String {
    let mut args = FluentArgs::new();
    for (name, value) in message.args() {
        match value {
            Value::Text(text) => args.set(name, FluentValue::from(text)),
            Value::Count(count) => args.set(name, FluentValue::from(count)),
        }
    }
    phrase(message.id(), &args)
}

/// The sentence in pieces, in the order of the language; text parts stand alone so that they can be links.
#[must_use]
pub fn pieces<M: Message>(message: &M) -> Vec<Piece> {
    const OPEN: char = '\u{e000}'; // private use: never typed, never shown
    const CLOSE: char = '\u{e001}';
    let parts = message.args();
    let mut args = FluentArgs::new();
    for (index, (name, value)) in parts.iter().enumerate() {
        match value {
            Value::Text(_) => args.set(*name, FluentValue::from(format!("{OPEN}{index}{CLOSE}"))),
            Value::Count(count) => args.set(*name, FluentValue::from(*count)),
        }
    }
    let text = phrase(message.id(), &args);
    let mut out = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once(OPEN) {
        if !before.is_empty() {
            out.push(Piece::Text(before.to_owned()));
        }
        let Some((index, tail)) = after.split_once(CLOSE) else {
            break;
        };
        if let Some((name, Value::Text(text))) =
            index.parse::<usize>().ok().and_then(|i| parts.get(i))
        {
            out.push(Piece::Part(name, text.clone()));
        }
        rest = tail;
    }
    if !rest.is_empty() {
        out.push(Piece::Text(rest.to_owned()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every catalogue of messages stands here.
    fn all() -> Vec<(&'static str, &'static [&'static str])> {
        [
            answers::Verdict::catalogue(),
            answers::Status::catalogue(),
            answers::Figure::catalogue(),
            answers::Unseen::catalogue(),
            answers::Chart::catalogue(),
            answers::Month::catalogue(),
            answers::Card::catalogue(),
            cli::Cli::catalogue(),
            common::Common::catalogue(),
            entries::catalogue(),
            problems::catalogue(),
            editor::Editor::catalogue(),
            fields::Field::catalogue(),
            fields::Hint::catalogue(),
            fields::Named::catalogue(),
            format::Calendar::catalogue(),
            import::Import::catalogue(),
            outputs::Outputs::catalogue(),
            outputs::Heat::catalogue(),
            outputs::Later::catalogue(),
            outputs::Sizes::catalogue(),
            outputs::PerRequest::catalogue(),
            gateway::Gateway::catalogue(),
            keys::Keys::catalogue(),
            hints::About::catalogue(),
            runner::Failure::catalogue(),
            share::Share::catalogue(),
            ui::Ui::catalogue(),
            ui::Weekday::catalogue(),
            stories::Stories::catalogue(),
        ]
        .concat()
    }

    #[test]
    fn files_have_no_errors_and_each_message_once() {
        let mut ids = Vec::new();
        for file in ENGLISH {
            let resource =
                FluentResource::try_new((*file).to_owned()).expect("a Fluent file without errors");
            for entry in resource.entries() {
                if let fluent_syntax::ast::Entry::Message(m) = entry {
                    ids.push(m.id.name.to_owned());
                }
            }
        }
        let mut wanted: Vec<_> = all().iter().map(|(id, _)| (*id).to_owned()).collect();
        ids.sort();
        wanted.sort();
        assert_eq!(
            ids, wanted,
            "files and enums name the same messages, each once"
        );
    }

    #[test]
    fn every_part_is_used_and_none_is_missing() {
        for (id, parts) in all() {
            let mut args = FluentArgs::new();
            for part in parts {
                args.set(*part, FluentValue::from(format!("<{part}>")));
            }
            BUNDLE.with_borrow(|bundle| {
                let pattern = bundle.get_message(id).and_then(|m| m.value()).expect(id);
                let mut errors = Vec::new();
                let _ = bundle.format_pattern(pattern, Some(&args), &mut errors);
                assert!(errors.is_empty(), "{id}: {errors:?}");
            });
        }
    }

    #[test]
    fn pieces_keep_the_order_of_the_sentence() {
        let m = common::Common::FuturesOf {
            done: "200".into(),
            of: "10,000".into(),
        };
        assert_eq!(say(&m), "200 of 10,000 futures");
        let parts: Vec<_> = pieces(&m);
        assert_eq!(parts[0], Piece::Part("done", "200".into()));
        assert_eq!(parts[1], Piece::Text(" of ".into()));
    }
}
