//! Takes the lines of clients. Each line goes to the line of the game at the client's position. Then automatic
//! follow-ups, the folder of the game and the client are handled.

use crate::diag::Diagnostic;
use crate::game::answer::deadlines::answer_without_people;
use crate::game::answer::new_questions::{
    places_of_open_questions, show_new_questions, show_questions_after_refusal,
};
use crate::game::attempt::command_kind::host_effect_of_line;
use crate::game::attempt::line_parser::{
    is_query_command, line_in_present_words, parse_command_line,
};
use crate::game::command::dispatch::{add_groups_and_log_lines, dispatch_line};
use crate::game::question::open_questions::canonical_giver;
use crate::game::rules::generations::Generations;
use crate::game::ruling::caller::Caller;
use crate::game::ruling::client::{Client, ClientPosition};
use crate::game::ruling::host_command::HostCommand;
use crate::game::ruling::ruling_context::{Responders, Ruling};
use crate::game::session::Session;
use crate::game::session::drawn_line::split_drawn_line;
use crate::game::session::persistence::save_operations;
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::CommandEffect;
use crate::game::timeline::game_on_disk::GameOnDisk;
use crate::game::timeline::reply::{ProgramRequest, Reply, Request};
use crate::script::{Owner, owner_of_template};

/// The line of the game that is played, with everything else that its lines need.
pub(super) struct PlayContext<'a> {
    pub(super) commands: &'static [HostCommand],
    pub(super) timeline: &'a mut Timeline,
    pub(super) disk: &'a mut Option<GameOnDisk>,
    pub(super) generations: &'a Generations,
    pub(super) responders: &'a Responders,
}

impl Session {
    /// Takes one line of a client and returns the reply; questions that are then overdue are answered too. The
    /// position, the view and the last query belong to the client, so several clients do not disturb each other. A
    /// panic of the host becomes a refusal.
    pub fn submit(&mut self, client: &mut Client, line: &str) -> Reply {
        self.submit_with(client, line, dispatch_line)
    }

    /// Takes one line as [`Session::submit`] does; `give` passes the line to the game.
    pub(in crate::game) fn submit_with(
        &mut self,
        client: &mut Client,
        line: &str,
        give: impl FnOnce(&mut Timeline, &Ruling<'_>) -> Reply,
    ) -> Reply {
        self.catch_panic(|session| session.take_client_line(client, line, give))
            .unwrap_or_else(Reply::refused)
    }

    fn take_client_line(
        &mut self,
        client: &mut Client,
        line: &str,
        give: impl FnOnce(&mut Timeline, &Ruling<'_>) -> Reply,
    ) -> Reply {
        if let Err(refusal) = self.check_fork_exists(client.at()) {
            client.at = ClientPosition::Main;
            return Reply::refused(refusal);
        }
        let mut stand = self.play_context_at(client.at());
        let seat = match canonical_giver(stand.timeline, client.seat()) {
            Ok(seat) => seat,
            Err(refusal) => return Reply::refused(*refusal),
        };
        client.count_line();
        let (line, picture) = match split_drawn_line(stand.timeline, &seat, line) {
            Ok(Some((query, place))) => (query, Some(place)),
            Ok(None) => (line, None),
            Err(refusal) => return Reply::refused(*refusal),
        };
        let renamed = line_in_present_words(stand.timeline, line).map(|(_, words)| words);
        let reply = match client.at().past() {
            Some(at)
                if host_effect_of_line(stand.timeline, (&seat, line))
                    != Some(CommandEffect::Tends) =>
            {
                let reply = stand.answer_line_in_past(client, (&seat, line), at);
                add_groups_and_log_lines(stand.timeline, &seat, reply)
            }
            Some(_) | None => stand.play_line(client, (&seat, line), give),
        };
        let mut reply = match reply.request {
            Some(request) => self.grant_request(client, &seat, request),
            None => reply,
        };
        if let Some((old, now)) = renamed {
            let told = Reply::line_to(&seat, format!("`{old}` is called `{now}` now"));
            reply.documents.extend(told.documents);
        }
        if let Some(place) = picture.filter(|_| reply.refusal.is_none()) {
            reply.program_request = Some(ProgramRequest::Picture {
                title: line.to_owned(),
                place: place.to_owned(),
            });
        }
        client.remember_reply((&seat, line), &reply);
        reply
    }

    /// Checks that the fork at a position exists. Errors: `fork/gone` if another client dropped it.
    pub(super) fn check_fork_exists(&self, at: &ClientPosition) -> Result<(), Diagnostic> {
        let gone = at.fork().filter(|name| !self.forks.contains_key(*name));
        gone.map_or(Ok(()), |name| Err(deleted_fork_refusal(name)))
    }

    /// Returns the line of the game at a client's position, or the line whose past the client views.
    pub(super) fn play_context_at(&mut self, at: &ClientPosition) -> PlayContext<'_> {
        let fork = at.fork().and_then(|name| self.forks.get_mut(name));
        let (timeline, disk) = match fork {
            Some(fork) => (&mut fork.timeline, &mut fork.kept),
            None => (&mut self.main, &mut self.disk),
        };
        PlayContext {
            commands: self.program.commands,
            timeline,
            disk,
            generations: &self.generations,
            responders: &self.responders,
        }
    }

    /// Carries out the request of a line to the session.
    fn grant_request(&mut self, client: &mut Client, by: &str, request: Request) -> Reply {
        let granted = match request {
            Request::Look(at) => self.move_client_view(client, at, by),
            Request::Fork(name) => self.move_to_fork(client, &name, by),
            Request::DropFork(name) => self.drop_fork(client, &name, by),
            Request::Forks => self.list_forks(client, by),
            Request::Reload => self.reload_reply(),
            Request::Check => self.check_reply(),
        };
        add_groups_and_log_lines(self.play_context_at(client.at()).timeline, by, granted)
    }
}

impl PlayContext<'_> {
    /// Gives a line to the game, with all automatic follow-ups.
    fn play_line(
        &mut self,
        client: &Client,
        (seat, line): (&str, &str),
        give: impl FnOnce(&mut Timeline, &Ruling<'_>) -> Reply,
    ) -> Reply {
        let caller = Caller {
            commands: self.commands,
            responders: self.responders,
            generations: self.generations,
            disk: self.disk.as_ref(),
            client,
        };
        let ruling = Ruling::live(seat, line, &caller);
        let before = self.timeline.history.operations().len();
        let open = places_of_open_questions(self.timeline);
        let reply = give(self.timeline, &ruling);
        let reply = answer_without_people(self.timeline, &caller, reply, before);
        let mut reply = add_groups_and_log_lines(self.timeline, seat, reply);
        show_new_questions(self.timeline, seat, &open, &mut reply);
        // The reply to a query, such as a post, contains no reports about other things.
        let is_told = reply.refusal.is_some() && !open.is_empty();
        let is_query = || {
            matches!(
                host_effect_of_line(self.timeline, (seat, line)),
                Some(CommandEffect::Looks | CommandEffect::Publishes)
            )
        };
        if is_told && !is_query() {
            show_questions_after_refusal(self.timeline, seat, &mut reply);
        }
        let groups = reply.groups.clone();
        // No script is called after this point, so a panic never rolls back anything that is on disk.
        let reply = save_operations(self.timeline, self.disk.as_mut(), self.generations, reply);
        Reply { groups, ..reply }
    }

    /// Answers a line from the game as it was after an operation; there, nothing can be changed.
    fn answer_line_in_past(
        &mut self,
        client: &Client,
        (seat, line): (&str, &str),
        at: u64,
    ) -> Reply {
        let mut there = match self.timeline.at_operation(at) {
            Ok(there) => there,
            Err(error) => {
                return Reply::refused(error.to_diagnostic());
            }
        };
        let caller = Caller {
            commands: self.commands,
            responders: self.responders,
            generations: self.generations,
            disk: self.disk.as_ref(),
            client,
        };
        let before = there.history.operations().len();
        if is_ruling(&there, (seat, line)) {
            return Reply::refused(read_only_refusal(at));
        }
        let reply = dispatch_line(&mut there, &Ruling::live(seat, line, &caller));
        match there.history.operations().len() == before {
            true => reply,
            false => Reply::refused(read_only_refusal(at)),
        }
    }
}

/// Returns whether a line is a command of the rules that is not a query.
fn is_ruling(timeline: &Timeline, (by, line): (&str, &str)) -> bool {
    let owner = parse_command_line(timeline, by, line.trim()).ok();
    let owner = owner.and_then(|(phrase, _)| owner_of_template(&phrase.template));
    match owner {
        Some(owner @ Owner::Definition { .. }) => !is_query_command(timeline, &owner),
        Some(Owner::Host(_)) | None => false,
    }
}

fn read_only_refusal(at: u64) -> Diagnostic {
    let message = format!("you are viewing the game as of log line {at}, which is read-only");
    Diagnostic::error("look/past", message)
        .hint("`view` returns to the present; `fork NAME` plays on from here in a copy")
}

/// Returns a refusal because another client dropped the fork at a client's position.
fn deleted_fork_refusal(name: &str) -> Diagnostic {
    let message = format!("fork {name} was deleted in the meantime; nothing was done");
    Diagnostic::error("fork/gone", message).hint("you are now in main, the game itself")
}
