//! Finds the slot types that may hold names.

use super::{Step, TypeId, TypeKind, What};

/// Returns for each slot type whether it may hold names.
pub(super) fn types_holding_names(kinds: &[&TypeKind]) -> Vec<bool> {
    let mut found: Vec<bool> = kinds
        .iter()
        .map(|kind| matches!(kind, TypeKind::Names(_)))
        .collect();
    loop {
        let before = found.clone();
        for (at, kind) in kinds.iter().enumerate() {
            found[at] |= uses_type(kind, &mut |ty| before[ty]);
        }
        if found == before {
            return found;
        }
    }
}

/// Returns whether one of the types that a type is made of is such a type.
fn uses_type(kind: &TypeKind, is_such: &mut dyn FnMut(TypeId) -> bool) -> bool {
    match kind {
        TypeKind::Class(_) | TypeKind::Choice(_) | TypeKind::Names(_) | TypeKind::Reader => false,
        TypeKind::Forms(forms) => forms
            .list
            .iter()
            .any(|form| steps_use_type(&form.steps.list, is_such)),
        TypeKind::Interpolated { piece, .. } => is_such(*piece),
        TypeKind::Either(options) => options.iter().any(|option| is_such(*option)),
        TypeKind::Chain { next, .. } | TypeKind::Prefix { next, .. } => is_such(*next),
        TypeKind::Bracketed { inner, .. } => is_such(*inner),
    }
}

fn steps_use_type(steps: &[Step], is_such: &mut dyn FnMut(TypeId) -> bool) -> bool {
    steps.iter().any(|step| match &step.what {
        What::Word(_) => false,
        What::Slot(slot) => is_such(slot.ty),
        What::OneOf { options, .. } => options.iter().any(|one| steps_use_type(&one.list, is_such)),
    })
}
