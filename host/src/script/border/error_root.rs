//! The original error of the machine, below all added context.

/// Returns the original error.
pub(crate) fn root_error(error: &mlua::Error) -> &mlua::Error {
    match error {
        mlua::Error::CallbackError { cause, .. }
        | mlua::Error::WithContext { cause, .. }
        | mlua::Error::BadArgument { cause, .. } => root_error(cause),
        other => other,
    }
}
