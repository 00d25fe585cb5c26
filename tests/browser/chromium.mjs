// Drives one Chromium over its debugging pipe, without a library: messages are JSON that ends with a zero byte.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe",
];

// Starts the browser with a new profile, opens an empty page, and returns functions to use it.
export async function startChromium(program = process.env.CHROMIUM ?? "chromium") {
  const profile = mkdtempSync(join(tmpdir(), "arbiter-browser-"));
  const child = spawn(program, [...FLAGS, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const waiting = new Map();
  const events = new Set();
  let last = 0;
  let rest = Buffer.alloc(0);
  const failAll = (why) => waiting.forEach(({ reject }) => reject(new Error(why)));
  child.on("error", (error) => failAll(`${program} does not start: ${error.message}`));
  child.on("exit", () => failAll(`${program} ended`));
  child.stdio[4].on("data", (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = JSON.parse(rest.subarray(0, end).toString());
      rest = rest.subarray(end + 1);
      if (message.id === undefined) {
        events.forEach((listen) => listen(message));
        continue;
      }
      const { resolve, reject } = waiting.get(message.id);
      waiting.delete(message.id);
      message.error ? reject(new Error(message.error.message)) : resolve(message.result);
    }
  });

  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      child.stdio[3].write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    });
  const { targetInfos } = await send("Target.getTargets");
  const { targetId } = targetInfos.find((target) => target.type === "page");
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const page = (method, params) => send(method, params, sessionId);
  await page("Page.enable");

  return {
    // Sends a command to the page.
    page,
    // Opens an address and waits until it is loaded.
    open: (url) =>
      new Promise((resolve, reject) => {
        const listen = (message) => {
          if (message.method === "Page.loadEventFired") {
            events.delete(listen);
            resolve();
          }
        };
        events.add(listen);
        page("Page.navigate", { url }).then(({ errorText }) => errorText && reject(new Error(`${url}: ${errorText}`)), reject);
      }),
    // Runs an expression in the page and returns its value.
    evaluate: async (expression) => {
      const { result, exceptionDetails } = await page("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) {
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      }
      return result.value;
    },
    // Ends the browser and removes its profile.
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      send("Browser.close").catch(() => {});
      const late = setTimeout(() => child.kill("SIGKILL"), 3000);
      await ended;
      clearTimeout(late);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
