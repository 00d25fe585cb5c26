//! The border to scripts: the machine, its limits, the API, and the loading of rules.
//!
//! All code that names `mlua` is here, in rooms. Each room uses only those above it in this list. `border`: plain data
//! on one side, values of the machine on the other. `fuel`: the limits of scripts. `profile`: where processor time and
//! fuel go. `raw`: the unsafe code. `source`: scripts as text. `declare`: the declarations of rules. `run`: one ruling
//! while its script runs. `rules`: the results of a load, and the parts that the next one keeps. `host`: the data that
//! API functions use. `inquiry`: questions to rules and people. `api`: one file per table that scripts see. `engine`:
//! one machine. `load`: from files to rules. `call`: the calls of a game.

pub(crate) mod api;
pub(crate) mod border;
pub(crate) mod call;
mod declare;
mod engine;
mod former_names;
pub(crate) mod fuel;
pub(crate) mod host;
pub(crate) mod inquiry;
pub(crate) mod load;
mod profile;
mod raw;
mod rules;
pub(crate) mod run;
pub(crate) mod source;

pub use border::named_file::NamedFile;
pub use border::printed_lines::Printed;
pub use border::{GM, GROUP};
#[cfg(feature = "measure")]
pub use call::baseline_dispatch::emit_one_by_one_from_rust;
pub use call::case_transcripts::transcript_of_case_file;
pub use call::evaluation::evaluate_typed_luau;
pub use call::evaluation::{EVALUATED, Evaluated};
pub use call::import_steps::{ImportFinding, ImportJudged, ImportStep};
pub use call::import_steps::{has_import, import_steps, judge_import_step};
pub use call::offered_words::offered_words;
pub use call::plan_steps::{StepWatch, Verdict};
pub use call::plan_steps::{advance_to_next_phase, chosen_plan, run_steps};
pub use call::post_views::{has_post_template, poll_post_documents, written_post};
pub use call::reachable_names::reachable_names;
pub use call::rule_runs::{run_command, run_continuation, run_setup, run_test_setup};
pub use call::seats_and_names::{seats_in_state, viewer_in_state, with_names};
pub use call::simulation::{Answers, Ending, Simulation};
pub use call::simulation::{
    commands_that_begin_simulated_game, simulation_ending, simulation_settings,
};
pub use call::story_views::{StoryViews, story_board, story_views};
pub use call::test_module::{run_test, test_sentences};
pub use declare::constructors::{Constructor, Key as ConstructorKey, KeyText};
pub use declare::name_type::NameType;
pub use declare::phrase_value::slots_value;
pub use declare::schema::syntax_lines;
pub use declare::schema::{Format, Schema};
pub use declare::template_owner::{
    COMMAND, COMMANDS, DICE, EACH_READER, ENTITY, FIELD, FILE, HostPhrase, Owner, POST_TEMPLATE,
    READER, SEAT, game_slot_types, owner_of_template,
};
pub use engine::{Engine, EngineOptions};
pub use former_names::present_names;
pub use fuel::{Limit, Limits};
#[cfg(feature = "measure")]
pub use host::fast_omission::omit_fast_methods;
pub use host::try_counts::{Tries, TryCounts, add_tries};
pub use inquiry::open_prompts::{
    Continuation, PROMPT, open_prompts, renumber_prompt, seat_numbers_of_prompt,
};
pub use load::folder_watch::Watch;
pub use load::literal_checks::literal_findings;
pub use load::text_forms::{
    canonical_texts, first_unread_finding, plain_data_of_texts, text_structures,
};
pub use load::{Forms, ModFiles, load_rules};
pub use profile::{Cost, Part, Profile, Profiler, Work, begin_named_host_work};
pub use rules::Rules;
pub use rules::command_lines::{
    allowed_givers, command_word, file_slots, is_read_only_line, syntax_line_count,
};
pub use rules::command_words::{
    commands_taking_definitions, description_command_line, joining_command_line, leading_words,
    leading_words_by_line, names_of_definition,
};
pub use rules::compile_cache::Compiled;
pub use rules::grammar::OWN_NAME;
pub use rules::plans::{PLANS, plan_phases, step_names};
pub(crate) use rules::same_lines::same_line_findings;
pub(crate) use rules::unseen_words::unseen_word_findings;
pub use run::chance::{Chance, Face};
pub use run::checks_in_force::Checks;
pub use run::event::host_events;
pub use run::past_changes::{Found, Past, Wanted};
pub use run::question::{BROKEN, Question, Reader, ReplyType, YES_NO, shown_answer};
pub use run::question_numbers::{
    OwnNumbers, ROW as ASKED, advance_numbers, numbers_from_values, numbers_to_values,
    take_next_numbers,
};
pub use run::reserved_ids::{IDS, reserve_ids_before, reserve_ids_of_state};
pub use run::run_record::Recorded;
pub use run::seats::Seats;
pub use run::trace::{Line, RulePlace, Step};
pub use run::visibility::Sight;
pub use run::{Outcome, Run, SAID};
pub use source::api_declarations::{Function, Group, Section, declarations, host_definitions};
pub(crate) use source::collections_that_stay::collections_that_stay;
pub use source::kept_state_lint::kept_state_findings;
pub use source::mod_files::{LIBRARY, is_text};
pub(crate) use source::mod_files::{RULESET, is_schema, is_script};
pub use source::script_compiler::is_unfinished;
pub use source::undeclared_names::Visible;
