//! Answers requests to a game, one after the other, on its thread.

use host::game;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};

use host::game::{ProgramRequest, ReloadResult, Solo};

use super::game_handle::Request;
use super::prompt_state::Flags;
use crate::bug_report::Reports;
use crate::completion;
use crate::save_pack_open::Disk;
use crate::syntax_hint;

/// Answers requests until no sender is left; returns the final game.
pub(super) fn answer_requests(
    mut solo: Solo,
    requests: &Receiver<Request>,
    news: &Sender<ReloadResult>,
    (flags, disk): (&Flags, &Disk),
    reports: &Reports,
) -> Solo {
    let mut acting = "gm".to_owned();
    while let Ok(request) = requests.recv() {
        // The sender of the request may no longer be waiting; then the answer is dropped.
        match request {
            Request::Submit { by, line, to } => {
                // An interrupt before the line ends nothing; an interrupt for the line ends nothing after it.
                flags.interrupt.store(false, Ordering::Relaxed);
                let reply = reports.submit_line(&mut solo, &by, &line);
                let reply = disk.carry_out_disk_request(&mut solo, reply);
                flags.interrupt.store(false, Ordering::Relaxed);
                let by = match &reply.program_request {
                    Some(ProgramRequest::As(name)) => name,
                    Some(_) | None => &by,
                };
                let open = game::open_questions_for(solo.timeline(), by).len();
                flags.open.store(open, Ordering::Relaxed);
                by.clone_into(&mut acting);
                flags.store_prompt_state(&solo);
                let _ = to.send(reply);
            }
            Request::Complete { line, cursor, to } => {
                let at = solo.client.at().clone();
                let found = reports.run_guarded(&mut solo.session, &line, |session| {
                    completion::suggestions_at_cursor(
                        session.timeline_at(&at),
                        &acting,
                        &line,
                        cursor,
                    )
                });
                let _ = to.send(found.unwrap_or_default());
            }
            Request::Hint { line, to } => {
                let at = solo.client.at().clone();
                let found = reports.run_guarded(&mut solo.session, &line, |session| {
                    syntax_hint::syntax_hint(session.timeline_at(&at), &acting, &line)
                });
                let _ = to.send(found.unwrap_or_default());
            }
            Request::Swap(compiled) => {
                let reloaded = reports
                    .run_guarded(&mut solo.session, "reload", |session| {
                        session.reload(*compiled)
                    })
                    .unwrap_or_else(|bug| ReloadResult::Kept {
                        findings: vec![bug],
                    });
                flags.store_prompt_state(&solo);
                let _ = news.send(reloaded);
            }
        }
    }
    solo
}
