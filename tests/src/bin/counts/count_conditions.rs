//! Conditions of figures outside the project: toolchain, valgrind, and the processor that valgrind presents.

use std::process::Command;

/// Conditions under which figures were counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conditions {
    /// The version of the compiler.
    pub(crate) toolchain: String,
    /// The version of valgrind.
    pub(crate) valgrind: String,
    /// Features of the processor that valgrind presents.
    pub(crate) processor: String,
}

impl Conditions {
    /// Returns the present conditions; the features are those that a program under valgrind found. Errors: a tool
    /// reports no version.
    pub(crate) fn now(features: &str) -> Result<Conditions, String> {
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
        Ok(Conditions {
            toolchain: tool_version(&rustc)?,
            valgrind: tool_version("valgrind")?,
            processor: features.to_owned(),
        })
    }
}

fn tool_version(tool: &str) -> Result<String, String> {
    let ran = Command::new(tool).arg("--version").output();
    let ran = ran.map_err(|error| format!("{tool} cannot be run ({error})"))?;
    Ok(String::from_utf8_lossy(&ran.stdout).trim().to_owned())
}

/// Returns the present ones of the processor features that code asks for to choose between its variants.
#[cfg(target_arch = "x86_64")]
pub(crate) fn processor_features() -> Vec<&'static str> {
    let asked = [
        ("sse4.1", std::arch::is_x86_feature_detected!("sse4.1")),
        ("sse4.2", std::arch::is_x86_feature_detected!("sse4.2")),
        ("popcnt", std::arch::is_x86_feature_detected!("popcnt")),
        ("avx", std::arch::is_x86_feature_detected!("avx")),
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("bmi2", std::arch::is_x86_feature_detected!("bmi2")),
        ("sha", std::arch::is_x86_feature_detected!("sha")),
        ("avx512f", std::arch::is_x86_feature_detected!("avx512f")),
    ];
    let found = asked.into_iter().filter(|(_, is_there)| *is_there);
    ["x86_64"]
        .into_iter()
        .chain(found.map(|(name, _)| name))
        .collect()
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn processor_features() -> Vec<&'static str> {
    vec![std::env::consts::ARCH]
}
