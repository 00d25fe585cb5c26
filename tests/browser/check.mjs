// Exports games of all shipped rulesets and looks at their pages in Chromium, on a phone and on a desk, light and dark:
// no violation of axe-core, nothing wider than the window, no cell under three characters, no skipped heading.
// Steps through replays, with their script and without it.
//
// node check.mjs [--program PATH] [--out FOLDER] [--smoke] [RULESET...]
// Screenshots stay in the folder. `--smoke` looks at one story of each game and at one replay only.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import { startChromium } from "./chromium.mjs";
import { layoutFaults } from "./layout.mjs";
import { stepFaults } from "./replay.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const HOME = join(HERE, "../..");
const SIZES = [{ width: 390, height: 844, mobile: true }, { width: 1280, height: 900, mobile: false }];
const REPLAY = "-replay";
const SCHEMES = ["light", "dark"];
// Most pixels of a screenshot, from the top.
const TALLEST = 6000;
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { program: { type: "string", default: "arbiter" }, out: { type: "string" }, smoke: { type: "boolean", default: false } },
});
const out = resolve(options.out ?? join(tmpdir(), "arbiter-pages"));

function arbiter(words) {
  const done = spawnSync(options.program, words, { cwd: HOME, encoding: "utf8" });
  if (done.error) throw done.error;
  return done;
}

// Plays the lines of played/RULESET.txt and exports the game. Returns the exported files by name.
function exportGame(ruleset, folder) {
  const game = join(folder, ruleset);
  const lines = join(HERE, "played", `${ruleset}.txt`);
  const played = arbiter(["run", lines, "--ruleset", ruleset, "--seed", "pages", "--game", game, "--quiet"]);
  if (played.status !== 0) throw new Error(`${ruleset}: ${played.stderr}`);
  const write = (words) => {
    const done = arbiter(["export", game, ...words]);
    if (done.status !== 0) throw new Error(`${ruleset}, export ${words.join(" ")}: ${done.stderr}`);
  };
  const pages = { [`${ruleset}-whole`]: join(folder, `${ruleset}.html`) };
  write(["--out", pages[`${ruleset}-whole`]]);
  // The game master's pages have every kind of text: for others, taken back, maps.
  for (const [reader, words] of [["public", []], ["gm", ["--for", "gm", "--corrections"]]]) {
    const site = join(folder, `${ruleset}-${reader}`);
    write([...words, "--pages", site]);
    const replay = `${ruleset}-${reader}${REPLAY}`;
    pages[replay] = join(folder, `${replay}.html`);
    write(["--for", reader, "--style", "replay", "--out", pages[replay]]);
    // The table of all changes has thousands of rows of one form, and axe needs minutes for it.
    for (const file of readdirSync(site).filter((name) => name.endsWith(".html") && name !== "changes.html")) {
      pages[`${ruleset}-${reader}-${file.replace(".html", "")}`] = join(site, file);
    }
  }
  return pages;
}

async function lookAtPage(browser, axe, name, file) {
  const faults = [];
  for (const size of SIZES) {
    for (const scheme of SCHEMES) {
      await browser.page("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1 });
      await browser.page("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
      await browser.open(pathToFileURL(file).href);
      const where = `${name}, ${size.width} px, ${scheme}`;
      // Folded lines and all phases of a replay are looked at too.
      await browser.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      await browser.evaluate("document.querySelectorAll('section.phase').forEach((one) => { one.hidden = false; })");
      for (const fault of await browser.evaluate(`(${layoutFaults})(${name.endsWith(REPLAY)})`)) faults.push(`${where}: ${fault}`);
      await browser.evaluate(`${axe}; true`);
      const found = await browser.evaluate(
        `axe.run({ runOnly: ${JSON.stringify(TAGS)} }).then(({ violations }) => violations.map((one) =>
          one.id + ": " + one.help + ": " + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")))`,
      );
      for (const fault of found) faults.push(`${where}: ${fault}`);
      await browser.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = false; })");
      const height = Math.min(await browser.evaluate("document.documentElement.scrollHeight"), TALLEST);
      const clip = { x: 0, y: 0, width: size.width, height, scale: 1 };
      const shot = await browser.page("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
      writeFileSync(join(out, `${name}-${size.width}-${scheme}.png`), Buffer.from(shot.data, "base64"));
    }
  }
  return faults;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "arbiter-games-"));
mkdirSync(out, { recursive: true });
const all = readdirSync(join(HERE, "played")).map((name) => name.replace(".txt", "")).sort();
const games = named.length > 0 ? named : all;
const browser = await startChromium();
let [count, faulty, stepped] = [0, 0, 0];
try {
  for (const ruleset of games) {
    const pages = Object.entries(exportGame(ruleset, folder));
    const smoke = [`${ruleset}-whole`, "wwrf-public-replay"];
    for (const [name, file] of options.smoke ? pages.filter(([name]) => smoke.includes(name)) : pages) {
      count += 1;
      const faults = await lookAtPage(browser, axe, name, file);
      if (name.endsWith(REPLAY)) {
        const found = await stepFaults(browser, pathToFileURL(file).href);
        stepped += found ? 1 : 0;
        faults.push(...(found ?? []).map((fault) => `${name}: ${fault}`));
      }
      faults.forEach((fault) => console.log(fault));
      faulty += faults.length;
    }
  }
} finally {
  await browser.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (stepped === 0) {
  console.log("no replay has three phases to step through");
  faulty += 1;
}
console.log(`${count} pages, ${stepped} replays stepped through, ${faulty} faults; screenshots in ${out}`);
process.exitCode = faulty > 0 ? 1 : 0;
