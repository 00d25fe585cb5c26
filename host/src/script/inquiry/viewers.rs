//! People and audiences as readers of messages, with the groups that the rules give them.

use std::rc::Rc;

use crate::doc::{Audience, Viewer};
use crate::script::border::{GM, GROUP};
use crate::script::host::Host;
use crate::script::inquiry::seats::known_seats;

/// Returns the person who gives a command, or is asked, as a reader of messages.
pub(crate) fn viewer_of_person(host: &Host, who: &str) -> mlua::Result<Viewer> {
    let audience = match who {
        GM => Audience::Gm,
        who => match who.strip_prefix(GROUP) {
            Some(group) => Audience::Group(group.to_owned()),
            None => Audience::Seat(who.to_owned()),
        },
    };
    viewer_of_audience(host, audience)
}

/// Returns an audience as a reader of messages: a seat with its present groups, a group as a member of that group
/// alone.
pub(crate) fn viewer_of_audience(host: &Host, audience: Audience) -> mlua::Result<Viewer> {
    Ok(match audience {
        Audience::Gm => Viewer::Gm,
        Audience::Public => Viewer::Public,
        Audience::Group(group) => Viewer::seat("", [group.as_str()]),
        Audience::Seat(seat) => {
            let rules = Rc::clone(&host.rules.borrow());
            let seats = known_seats(host, &rules)?;
            let groups = seats.groups_of_seat(&seat).to_vec();
            Viewer::seat(seat, groups.iter().map(String::as_str))
        }
    })
}
