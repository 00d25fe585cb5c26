"use strict";
// Steps through the phases of a replay: one of them is shown, and the fragment of the address names it.
(() => {
  const phases = [...document.querySelectorAll("section.phase")];
  const controls = document.getElementById("controls");
  if (phases.length < 2 || !controls) return;
  const range = document.getElementById("range");
  const where = document.getElementById("where");
  const windowTitle = document.title;
  const last = phases.length - 1;
  const targets = { first: () => 0, previous: () => at - 1, next: () => at + 1, last: () => last };
  const buttons = Object.keys(targets).map((name) => document.getElementById(name));
  let at = 0;

  const title = (phase) => phase.querySelector("h2").textContent;
  const limited = (number) => Math.min(Math.max(number, 0), last);

  function show(number) {
    at = number;
    phases.forEach((phase, index) => { phase.hidden = index !== at; });
    const values = { title: title(phases[at]), at: at + 1, count: phases.length };
    // The page has the words, with holes for these values.
    const said = where.dataset.text.replace(/\{(title|at|count)\}/g, (_, name) => values[name]);
    range.value = String(at + 1);
    range.setAttribute("aria-valuetext", said);
    where.textContent = said;
    document.title = `${title(phases[at])} – ${windowTitle}`;
    // A button that is disabled would lose the focus.
    buttons.forEach((button) => button.setAttribute("aria-disabled", String(limited(targets[button.id]()) === at)));
  }

  // Shows the phase of the address: it names a phase or a line. Any other address means the first phase.
  function follow() {
    const target = document.getElementById(location.hash.slice(1));
    const phase = target?.closest("section.phase");
    if (!phase) {
      show(0);
      return;
    }
    show(phases.indexOf(phase));
    const folded = target.closest("details");
    if (folded) folded.open = true;
    target.scrollIntoView();
    if (target === phase) phase.querySelector("h2").focus({ preventScroll: true });
  }

  function go(number, replaces = false) {
    const wanted = limited(number);
    if (wanted === at) return;
    const fragment = `#${phases[wanted].id}`;
    show(wanted);
    // A change of `location` would take the focus from the controls.
    if (replaces) history.replaceState(null, "", fragment);
    else history.pushState(null, "", fragment);
    if (phases[wanted].getBoundingClientRect().top < 0) phases[wanted].scrollIntoView();
  }

  buttons.forEach((button) => button.addEventListener("click", () => go(targets[button.id]())));
  range.addEventListener("input", () => go(Number(range.value) - 1, true));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    // The range has these keys itself, and a wide table is scrolled by them.
    if (event.target.closest?.("input, .region, pre")) return;
    const name = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (!name) return;
    event.preventDefault();
    go(targets[name]());
  });
  addEventListener("hashchange", follow);

  range.max = String(phases.length);
  controls.hidden = false;
  document.querySelector("details.contents").open = false;
  document.documentElement.classList.add("stepped");
  show(0);
  follow();
})();
