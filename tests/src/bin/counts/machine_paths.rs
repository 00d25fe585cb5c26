//! The paths of machines: starts and reloads.

use arbiter_tests::{Game, Scratch};
use host::game::ReloadResult;
use host::script::Compiled;

use crate::measured_path::Path;

/// Returns the paths.
pub(crate) fn machine_paths() -> Vec<Path> {
    vec![
        Path::new("a start of fortune", 1, || {
            let home = Scratch::shipped("fortune");
            Box::new(move || drop(Game::untimed(&home, "fortune")))
        }),
        Path::new("a reload with one file changed", 1, prepare_file_reload),
    ]
}

fn prepare_file_reload() -> Box<dyn FnMut()> {
    let home = Scratch::harbour();
    let mut game = Game::untimed(&home, "harbour");
    let mut number = 0;
    Box::new(move || {
        number += 1;
        let source = format!(
            "return command {{ source = \"x\", summary = \"x\", syntax = \"idle {number}\", run = function(act) return act:done(\"x\") end }}"
        );
        home.write("scripts/harbour/commands/idle.luau", source);
        let reloaded = game.solo.session.reload(Compiled::default());
        assert!(matches!(reloaded, ReloadResult::Swapped { .. }));
    })
}
