//! Source files as far as the architecture is concerned: which paths they name, which methods and macros they call.
//! A lexer and no parser: comments and literals are left out, macros are read like everything else.

use std::path::Path;

/// A name that is called.
#[derive(Debug)]
pub struct Call {
    pub name: String,
    pub line: usize,
    pub in_tests: bool,
}

/// A path: `crate::domain::scenario`, one for each leaf of a `use`.
#[derive(Debug)]
pub struct Named {
    pub segments: Vec<String>,
    pub line: usize,
    pub in_tests: bool,
    /// Names of the modules in the file that it stands in.
    inside: Vec<String>,
}

/// A file.
#[derive(Debug)]
pub struct Source {
    /// From the root of the project, with slashes.
    pub name: String,
    /// Lines outside tests.
    pub lines: usize,
    pub paths: Vec<Named>,
    pub methods: Vec<Call>,
    pub macros: Vec<Call>,
}

impl Source {
    /// The part of the library that it belongs to: `engine` for `src/engine/run.rs`.
    pub fn part(&self) -> Option<&str> {
        let rest = self.name.strip_prefix("src/")?;
        let part = rest.split('/').next()?.trim_end_matches(".rs");
        (!["lib", "main", "bin"].contains(&part)).then_some(part)
    }

    /// Its module path in the library: `engine`, `run`.
    fn module(&self) -> Vec<String> {
        let path = self.name.trim_start_matches("src/").trim_end_matches(".rs");
        let mut module: Vec<String> = path.split('/').map(str::to_owned).collect();
        if module
            .last()
            .is_some_and(|last| last == "mod" || last == "lib")
        {
            module.pop();
        }
        module
    }
}

impl Named {
    /// The part of the library that the path leads into, if it does.
    pub fn part_of_the_library(&self, source: &Source) -> Option<String> {
        let mut at: Vec<String> = source.module();
        at.extend(self.inside.iter().cloned());
        let mut rest = self.segments.as_slice();
        match rest.first()?.as_str() {
            "crate" => {
                at.clear();
                rest = &rest[1..];
            }
            "super" => {
                while rest.first().is_some_and(|s| s == "super") {
                    at.pop();
                    rest = &rest[1..];
                }
            }
            _ => return None,
        }
        at.extend(rest.iter().cloned());
        at.first()
            .filter(|name| name.chars().all(|c| c.is_lowercase() || c == '_'))
            .cloned()
    }
}

/// All Rust files under a folder.
pub fn sources(root: &Path, folder: &Path) -> Vec<Source> {
    let mut out = Vec::new();
    let mut entries: Vec<_> = std::fs::read_dir(root.join(folder))
        .expect("a folder")
        .map(|e| e.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        let below = path.strip_prefix(root).expect("below the root").to_owned();
        if path.is_dir() {
            out.extend(sources(root, &below));
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).expect("text");
            let name = below.to_str().expect("UTF-8").replace('\\', "/");
            out.push(read(name, &text));
        }
    }
    out
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Sign(char),
}

/// Words and signs with their lines; comments, strings, characters and lifetimes are left out.
fn tokens(text: &str) -> Vec<(Token, usize)> {
    let letters: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let (mut i, mut line) = (0, 1);
    let at = |i: usize| letters.get(i).copied().unwrap_or('\0');
    while i < letters.len() {
        let c = at(i);
        let end = match c {
            '/' if at(i + 1) == '/' => until(&letters, i, |i| at(i) == '\n'),
            '/' if at(i + 1) == '*' => {
                until(&letters, i + 2, |i| at(i) == '*' && at(i + 1) == '/') + 2
            }
            '"' => string_end(&letters, i + 1),
            'r' | 'b' if !is_word(at(i.wrapping_sub(1))) && raw_start(&letters, i).is_some() => {
                let (hashes, start) = raw_start(&letters, i).unwrap_or_default();
                let closes = |i: usize| at(i) == '"' && (1..=hashes).all(|k| at(i + k) == '#');
                until(&letters, start, closes) + 1 + hashes
            }
            '\'' if at(i + 1) == '\\' => until(&letters, i + 3, |i| at(i) == '\'') + 1,
            '\'' if at(i + 2) == '\'' => i + 3,
            '\'' => until(&letters, i + 1, |i| !is_word(at(i))),
            _ if is_word(c) => {
                let end = until(&letters, i, |i| !is_word(at(i)));
                out.push((Token::Word(letters[i..end].iter().collect()), line));
                end
            }
            _ => {
                if !c.is_whitespace() {
                    out.push((Token::Sign(c), line));
                }
                i + 1
            }
        };
        let end = end.min(letters.len());
        line += letters[i..end].iter().filter(|c| **c == '\n').count();
        i = end;
    }
    out
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn until(letters: &[char], from: usize, stop: impl Fn(usize) -> bool) -> usize {
    (from..letters.len())
        .find(|i| stop(*i))
        .unwrap_or(letters.len())
}

fn string_end(letters: &[char], mut i: usize) -> usize {
    while i < letters.len() && letters[i] != '"' {
        i += if letters[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

/// Number of hashes and first letter of the content of `r#"…"#`, `br"…"`.
fn raw_start(letters: &[char], i: usize) -> Option<(usize, usize)> {
    let mut at = i + usize::from(letters[i] == 'b');
    if letters.get(at) != Some(&'r') {
        return None;
    }
    at += 1;
    let hashes = letters[at..].iter().take_while(|c| **c == '#').count();
    (letters.get(at + hashes) == Some(&'"')).then_some((hashes, at + hashes + 1))
}

fn read(name: String, text: &str) -> Source {
    let tokens = tokens(text);
    let word = |i: usize| match tokens.get(i) {
        Some((Token::Word(w), _)) => Some(w.as_str()),
        _ => None,
    };
    let sign = |i: usize, c: char| tokens.get(i).is_some_and(|t| t.0 == Token::Sign(c));
    let double_colon = |i: usize| sign(i, ':') && sign(i + 1, ':');
    // A file of tests, or of what only tests use.
    let whole_file = name.starts_with("tests/")
        || ["tests", "testing"]
            .iter()
            .any(|t| name.ends_with(&format!("/{t}.rs")) || name.contains(&format!("/{t}/")));
    let mut source = Source {
        name,
        lines: 0,
        paths: Vec::new(),
        methods: Vec::new(),
        macros: Vec::new(),
    };
    let mut test_lines = 0;
    let mut depth = 0usize;
    // Modules in the file: name, depth of their braces, first line, whether they are tests.
    let mut modules: Vec<(String, usize, usize, bool)> = Vec::new();
    let mut next_is_test = false;
    let mut i = 0;
    while i < tokens.len() {
        let line = tokens[i].1;
        let in_tests = whole_file || modules.iter().any(|m| m.3);
        let inside: Vec<String> = modules.iter().map(|m| m.0.clone()).collect();
        match &tokens[i].0 {
            Token::Sign('{') => depth += 1,
            Token::Sign('}') => {
                depth = depth.saturating_sub(1);
                if let Some((_, at, first, test)) = modules.last().cloned()
                    && at == depth
                {
                    modules.pop();
                    if test && !modules.iter().any(|m| m.3) {
                        test_lines += line - first + 1;
                    }
                }
            }
            Token::Sign(';') => next_is_test = false,
            Token::Sign('#')
                if sign(i + 1, '[')
                    && word(i + 2) == Some("cfg")
                    && word(i + 4) == Some("test") =>
            {
                next_is_test = true;
            }
            Token::Word(w) if w == "mod" && word(i + 1).is_some() && sign(i + 2, '{') => {
                let name = word(i + 1).unwrap_or_default().to_owned();
                modules.push((name, depth, line, next_is_test));
                next_is_test = false;
                depth += 1;
                i += 3;
                continue;
            }
            Token::Word(w) if w == "use" => {
                let mut leaves = Vec::new();
                let (end, _) = tree(&tokens, i + 1, &[], &mut leaves);
                for segments in leaves {
                    source.paths.push(Named {
                        segments,
                        line,
                        in_tests,
                        inside: inside.clone(),
                    });
                }
                i = end;
                continue;
            }
            Token::Word(w) => {
                let follows_dot = i > 0 && sign(i - 1, '.') && !(i > 1 && sign(i - 2, '.'));
                let follows_path = i > 1 && double_colon(i - 2);
                if follows_dot {
                    source.methods.push(Call {
                        name: w.clone(),
                        line,
                        in_tests,
                    });
                } else if sign(i + 1, '!') && !sign(i + 2, '=') {
                    source.macros.push(Call {
                        name: w.clone(),
                        line,
                        in_tests,
                    });
                }
                if !follows_path && double_colon(i + 1) {
                    let mut segments = vec![w.clone()];
                    let mut at = i + 1;
                    while double_colon(at) {
                        let Some(next) = word(at + 2) else { break };
                        segments.push(next.to_owned());
                        at += 3;
                    }
                    source.paths.push(Named {
                        segments,
                        line,
                        in_tests,
                        inside,
                    });
                }
            }
            Token::Sign(_) => {}
        }
        i += 1;
    }
    source.lines = if whole_file {
        0
    } else {
        text.lines().count() - test_lines
    };
    source
}

/// Leaves of a `use` tree, and the token after it.
fn tree(
    tokens: &[(Token, usize)],
    mut i: usize,
    before: &[String],
    leaves: &mut Vec<Vec<String>>,
) -> (usize, bool) {
    let mut path = before.to_vec();
    loop {
        match tokens.get(i).map(|t| &t.0) {
            Some(Token::Word(w)) if w == "as" => i += 2,
            Some(Token::Word(w)) => {
                path.push(w.clone());
                i += 1;
            }
            Some(Token::Sign('{')) => {
                i += 1;
                loop {
                    let (end, more) = tree(tokens, i, &path, leaves);
                    i = end;
                    if !more {
                        break;
                    }
                }
                return after(tokens, i);
            }
            Some(Token::Sign(',')) => {
                leaves.push(path);
                return (i + 1, true);
            }
            Some(Token::Sign('}')) => {
                if path.len() > before.len() {
                    leaves.push(path);
                }
                return (i + 1, false);
            }
            Some(Token::Sign(';')) | None => {
                if path.len() > before.len() {
                    leaves.push(path);
                }
                return (i + 1, false);
            }
            Some(Token::Sign(_)) => i += 1,
        }
    }
}

/// After the closing brace of a group: whether another tree follows at this level.
fn after(tokens: &[(Token, usize)], i: usize) -> (usize, bool) {
    match tokens.get(i).map(|t| &t.0) {
        Some(Token::Sign(',')) => (i + 1, true),
        Some(Token::Sign('}' | ';')) => (i + 1, false),
        _ => (i, false),
    }
}

#[test]
fn paths_are_read_as_rust_reads_them() {
    let text = r###"
        //! use crate::ui::nothing;
        use crate::{domain::{self, money as m}, engine::*};
        const S: &str = "crate::share::no \" use crate::x";
        const R: &str = r#"crate::share::no"#;
        const C: char = '"'; fn f<'a>(x: &'a str) { x.exp(); crate::text::say(1..2); view! { leptos::x } }
        #[cfg(test)]
        mod tests { use super::super::runner::Y; fn g() { panic!("no") } }
        fn h() { super::chart::z(); a != b; }
    "###;
    let source = read("src/decide/verdict.rs".to_owned(), text);
    let named: Vec<(String, Option<String>, bool)> = source
        .paths
        .iter()
        .map(|p| {
            (
                p.segments.join("::"),
                p.part_of_the_library(&source),
                p.in_tests,
            )
        })
        .collect();
    let part = |s: &str| Some(s.to_owned());
    assert_eq!(
        named,
        [
            ("crate::domain::self".to_owned(), part("domain"), false),
            ("crate::domain::money".to_owned(), part("domain"), false),
            ("crate::engine".to_owned(), part("engine"), false),
            ("crate::text::say".to_owned(), part("text"), false),
            ("leptos::x".to_owned(), None, false),
            ("super::super::runner::Y".to_owned(), part("decide"), true),
            ("super::chart::z".to_owned(), part("decide"), false),
        ]
    );
    let called: Vec<&str> = source.methods.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(called, ["exp"]);
    let macros: Vec<(&str, bool)> = source
        .macros
        .iter()
        .map(|c| (c.name.as_str(), c.in_tests))
        .collect();
    assert_eq!(macros, [("view", false), ("panic", true)]);
    assert_eq!(source.lines, text.lines().count() - 1);
}
