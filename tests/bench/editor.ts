import type { Browser, Page } from "@playwright/test";
import type { Bench, Benchmark } from "@/tests/bench/benchmark";
import { call, openChromium, type User, withPage } from "@/tests/bench/chromium";
import { type Limit, spread, table, verdict } from "@/tests/bench/figures";

const KEY: Limit = { must: 50, aim: 40 };
const OPENING: Limit = { must: 2_000, aim: 1_000 };
const SLOWDOWN = 4;
const KEYS = 120;
/** Time between two keys of a fast typist. */
const KEY_GAP_MS = 110;
/** A pause that is longer than it takes to save what was typed. */
const PAUSE_MS = 1_600;
const KEYS_PER_PAUSE = 40;

export const editor: Benchmark = {
  name: "editor",
  about: "how long a key takes to show in the editor of a long text or outline, while it saves by itself",
  run: measureEditor,
};

async function measureEditor(bench: Bench): Promise<void> {
  const browser = await openChromium(bench);
  const { user, at } = await demo(browser, bench);
  const rows: string[][] = [];
  for (const [name, typed] of [
    ["2,000 words", { body: words(2_000) }],
    ["with findings", { body: withMarks(words(2_000)), fields: { focusKeyword: "section", metaTitle: "Sections" } }],
    ["500 KB", { body: text(500_000) }],
    ["50 cards", { outline: cards(50) }],
  ] as const) {
    const { typing, drawn, keys, saves } = await typeInto(browser, bench, user, at, typed);
    const { median, p90 } = spread(keys);
    const figures = [typing, drawn, median, p90, Math.max(...keys)].map((value) => value.toFixed(0));
    rows.push([name, ...figures, String(saves), verdict(typing, OPENING), verdict(p90, KEY)]);
  }
  const head = ["text", "open ms", "drawn", "key ms", "p90", "longest", "saves", "opening", "keys"];
  const empty = spread(await withPage(browser, bench, undefined, typeIntoNothing));
  bench.print(
    `\nA processor ${SLOWDOWN} times as slow; ${KEYS} keys at the end of the text, from the key to the next frame.`,
  );
  bench.print(
    `Opening: until it can be typed into, as a plain field at first; must ${OPENING.must} ms. Drawn: as the text will look.`,
  );
  const floor = `${empty.median.toFixed(0)} ms, 90th percentile ${empty.p90.toFixed(0)} ms`;
  bench.print(`A key: must ${KEY.must} ms (90th percentile). In an empty field of an empty page it takes ${floor}.`);
  for (const line of table(head, rows)) bench.print(line);
}

/** Types at the end of a new piece's body, or into a card of its outline. All times are in milliseconds. */
async function typeInto(
  browser: Browser,
  bench: Bench,
  user: User,
  at: string,
  { body, outline, fields }: { body?: string; outline?: string; fields?: object },
) {
  return withPage(browser, bench, user, async (page) => {
    const { id } = await call<{ id: string }>(page.context(), bench, at, { title: "A long piece", body });
    if (fields) await call(page.context(), bench, `/api/content/${id}`, fields, "PATCH");
    if (outline) await call(page.context(), bench, `/api/content/${id}`, { outline, isOutline: true }, "PATCH");
    let saves = 0;
    page.on("response", (answer) => {
      if (answer.request().method() === "PATCH" && answer.ok()) saves += 1;
    });
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await page.goto(`/content/${id}`, { waitUntil: "commit" });
    const field = page.locator(outline ? `[aria-label^="What section 2 of"]` : '[aria-label="Body"]');
    await field.focus({ timeout: 60_000 });
    const typing = await page.evaluate(() => performance.now());
    if (body) await field.and(page.locator("[contenteditable]")).focus({ timeout: 60_000 });
    const drawn = await page.evaluate(() => performance.now());
    await page.keyboard.press("Control+End");
    await page.waitForTimeout(PAUSE_MS);
    return { typing, drawn, keys: await pressKeys(page), saves };
  });
}

/** Measures the least that this machine takes for a key. */
async function typeIntoNothing(page: Page): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.setContent("<textarea></textarea>");
  await page.locator("textarea").focus();
  return pressKeys(page);
}

async function pressKeys(page: Page): Promise<number[]> {
  await noteKeys(page);
  for (let key = 1; key <= KEYS; key += 1) {
    await page.keyboard.press("e");
    await page.waitForTimeout(key % KEYS_PER_PAUSE === 0 ? PAUSE_MS : KEY_GAP_MS);
  }
  return page.evaluate(() => (window as unknown as Noted).__keys);
}

/** How long each key took, in milliseconds. */
type Noted = { __keys: number[] };

/** Notes the time from each key to the frame that shows it. */
function noteKeys(page: Page): Promise<void> {
  return page.evaluate(() => {
    const keys: number[] = [];
    (window as unknown as Noted).__keys = keys;
    window.addEventListener(
      "keydown",
      (event) => {
        // The callback runs just before a frame is drawn, the message after it.
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => keys.push(performance.now() - event.timeStamp);
          channel.port2.postMessage(null);
        });
      },
      { capture: true },
    );
  });
}

/** The demo's user, and where pieces are made. */
function demo(browser: Browser, bench: Bench): Promise<{ user: User; at: string }> {
  return withPage(browser, bench, undefined, async (page) => {
    const context = page.context();
    await call(context, bench, "/api/login", bench.stack.account ?? {});
    const [project] = (await (await context.request.get("/api/projects")).json()) as { id: number }[];
    const topics = `/api/projects/${project?.id}/topics`;
    const [topic] = (await (await context.request.get(topics)).json()) as { id: number }[];
    return { user: await context.storageState(), at: `${topics}/${topic?.id}/content` };
  });
}

const PARAGRAPH =
  "Fill the tray, **water** it, and [wait](https://example.com/wait). The mix should be damp as a wrung-out sponge, and *warm*.";

function cards(count: number): string {
  const sections = Array.from({ length: count }, (_, index) => `## Section ${index + 1}\nWords: 150\n${PARAGRAPH}`);
  return sections.join("\n\n");
}

/** A claim without a source in each paragraph, and a picture and a link that readers will not get. */
function withMarks(body: string): string {
  return `${body.replaceAll(PARAGRAPH, `${PARAGRAPH} It takes a year [source needed: how long].`)}\n\n![](a.png) [here]()`;
}

function words(count: number): string {
  const paragraphs = Math.ceil(count / PARAGRAPH.split(" ").length);
  return sections(paragraphs);
}

function text(characters: number): string {
  return sections(Math.ceil(characters / (PARAGRAPH.length + 6))).slice(0, characters - 1_000);
}

function sections(paragraphs: number): string {
  const lines = Array.from({ length: paragraphs }, (_, index) =>
    index % 6 === 0 ? `## Section ${index / 6 + 1}\n\n${PARAGRAPH}` : PARAGRAPH,
  );
  return lines.join("\n\n");
}
