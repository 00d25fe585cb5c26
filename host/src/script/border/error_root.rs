//! What an error of the machine began as, below all that was added on its way.

/// Returns what an error began as.
pub(crate) fn root_error(error: &mlua::Error) -> &mlua::Error {
    match error {
        mlua::Error::CallbackError { cause, .. }
        | mlua::Error::WithContext { cause, .. }
        | mlua::Error::BadArgument { cause, .. } => root_error(cause),
        other => other,
    }
}
