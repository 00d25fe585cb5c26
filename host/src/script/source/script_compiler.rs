//! The compiler of scripts, and the functions that it must not treat as functions of the machine.

use std::sync::LazyLock;

use mlua::chunk::Compiler;

/// Library functions that the prelude wraps: the compiler must not skip the wrapper.
///
/// For `table.insert`, `string.byte` and `select` the machine has its own fast forms: for one value after the last, one
/// byte and one value. Their work is independent of the length of the list or text. In all other cases the machine
/// calls the wrapper.
const WRAPPED: [&str; 45] = [
    "next",
    "pairs",
    "pcall",
    "xpcall",
    "tostring",
    "print",
    "unpack",
    "string.char",
    "string.find",
    "string.format",
    "string.gmatch",
    "string.gsub",
    "string.lower",
    "string.match",
    "string.pack",
    "string.rep",
    "string.reverse",
    "string.split",
    "string.sub",
    "string.unpack",
    "string.upper",
    "table.concat",
    "table.create",
    "table.find",
    "table.move",
    "table.remove",
    "table.sort",
    "table.clone",
    "table.clear",
    "table.unpack",
    "table.maxn",
    "math.random",
    "math.randomseed",
    "buffer.create",
    "buffer.copy",
    "buffer.fill",
    "buffer.fromstring",
    "buffer.tostring",
    "utf8.char",
    "utf8.codepoint",
    "utf8.codes",
    "utf8.len",
    "utf8.offset",
    "tonumber",
    "setmetatable",
];

/// Globals for loops (`for … in pairs(map)`) that the machine would walk by itself, in an order of its own.
const WALKED: [&str; 2] = ["next", "pairs"];

/// Returns the compiler for all scripts.
pub(crate) fn script_compiler() -> &'static Compiler {
    static COMPILER: LazyLock<Compiler> = LazyLock::new(new_compiler);
    &COMPILER
}

fn new_compiler() -> Compiler {
    let mut compiler = Compiler::new().set_optimization_level(1).set_debug_level(1);
    for name in WRAPPED {
        compiler = compiler.add_disabled_builtin(name);
    }
    for name in WALKED {
        compiler = compiler.add_mutable_global(name);
    }
    compiler
}

/// Returns whether a chunk or expression of Luau only lacks its end, so that another line may finish it.
pub fn is_unfinished(text: &str) -> bool {
    let lacks = |text: &str| match script_compiler().compile(text) {
        Ok(_) => Some(false),
        Err(error) => matches!(
            error,
            mlua::Error::SyntaxError {
                incomplete_input: true,
                ..
            }
        )
        .then_some(true),
    };
    let asked = [lacks(&format!("return {text}")), lacks(text)];
    !asked.contains(&Some(false)) && asked.contains(&Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_that_ends_too_early_is_unfinished() {
        for text in [
            "1 +",
            "f(",
            "for i = 1, 3 do",
            "{ a = 1,",
            "function() return",
            "if x then y()",
        ] {
            assert!(is_unfinished(text), "{text}");
        }
        for text in ["", "1 + 1", "local x = 1", "f(]", "x x", "end", "\"open"] {
            assert!(!is_unfinished(text), "{text}");
        }
    }
}
