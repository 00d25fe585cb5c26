// Steps through a replay as a reader does, by keys, buttons, range, links and address; then opens it without scripts.
// Returns what is wrong; nothing for a replay with fewer than three phases.
const STATE = `(() => {
  const phases = [...document.querySelectorAll("section.phase")];
  const shown = phases.filter((phase) => phase.checkVisibility());
  const focused = document.activeElement;
  return {
    count: phases.length,
    shown: shown.map((phase) => phases.indexOf(phase)),
    title: shown[0]?.querySelector("h2").textContent,
    said: document.getElementById("where").textContent,
    range: Number(document.getElementById("range").value) - 1,
    ended: [...document.querySelectorAll("#controls button[aria-disabled=true]")].map((button) => button.id).join(" "),
    controls: document.getElementById("controls").checkVisibility(),
    focused: focused.id || focused.localName,
    hash: location.hash,
  };
})()`;

export async function stepFaults(browser, url) {
  const faults = [];
  const state = () => browser.evaluate(`new Promise((done) => setTimeout(() => done(${STATE}), 30))`);
  const press = async (key) => {
    for (const type of ["keyDown", "keyUp"]) await browser.page("Input.dispatchKeyEvent", { type, key });
    return state();
  };
  const click = async (selector) => {
    await browser.evaluate(`(() => { const one = document.querySelector(${JSON.stringify(selector)}); one.focus(); one.click(); })()`);
    return state();
  };
  const expect = (what, found, wanted) => {
    for (const [key, value] of Object.entries(wanted)) {
      if (JSON.stringify(found[key]) !== JSON.stringify(value)) {
        faults.push(`${what}: ${key} is ${JSON.stringify(found[key])}, not ${JSON.stringify(value)}`);
      }
    }
  };

  await browser.open("about:blank");
  await browser.open(url);
  const first = await state();
  const last = first.count - 1;
  if (last < 2) return undefined;
  const at = (number) => ({ shown: [number], range: number, hash: `#phase-${number + 1}` });
  expect("at the beginning", first, { shown: [0], range: 0, controls: true, ended: "first previous", hash: "" });
  if (first.said !== `${first.title}, 1 of ${first.count}`) faults.push(`the status says "${first.said}"`);

  expect("right", await press("ArrowRight"), at(1));
  expect("end", await press("End"), { ...at(last), ended: "next last" });
  expect("right at the end", await press("ArrowRight"), at(last));
  expect("left", await press("ArrowLeft"), at(last - 1));
  expect("home", await press("Home"), { ...at(0), ended: "first previous" });
  // The focus stays on a button that was pressed, and the status says where the reader is.
  const next = await click("#next");
  expect("the button next", next, { ...at(1), focused: "next", said: `${next.title}, 2 of ${next.count}` });
  expect("the button last", await click("#last"), { ...at(last), focused: "last" });
  expect("the button previous", await click("#previous"), at(last - 1));
  expect("the button first", await click("#first"), at(0));
  await browser.evaluate(`(() => {
    const range = document.getElementById("range");
    range.focus();
    range.value = "3";
    range.dispatchEvent(new Event("input", { bubbles: true }));
  })()`);
  expect("the range", await state(), { ...at(2), focused: "range" });
  await browser.evaluate("document.querySelector('details.contents').open = true");
  // A link moves the focus to the title of its phase, so that a screen reader reads on there.
  expect("a link", await click("a[href='#phase-2']"), { ...at(1), focused: "title-2" });
  await browser.evaluate("history.back()");
  expect("back", await state(), at(2));

  // The number of a line is an address too. It opens the run of votes that the line is in.
  const line = await browser.evaluate("[...document.querySelectorAll('section.phase')].at(-1).querySelector('[id^=line-]')?.id");
  if (line) {
    await browser.open("about:blank");
    await browser.open(`${url}#${line}`);
    expect("the address of a line", await state(), { shown: [last], range: last, hash: `#${line}` });
    if (!(await browser.evaluate(`document.getElementById("${line}").checkVisibility()`))) faults.push(`${line} is hidden`);
  }

  await browser.page("Emulation.setScriptExecutionDisabled", { value: true });
  await browser.open("about:blank");
  await browser.open(url);
  const still = await browser.evaluate(STATE);
  expect("without scripts", still, { shown: [...Array(first.count).keys()], controls: false });
  await browser.page("Emulation.setScriptExecutionDisabled", { value: false });
  return faults;
}
