import type { Browser } from "@playwright/test";
import { step } from "@/scripts/progress";
import type { Bench, Benchmark } from "@/tests/bench/benchmark";
import { call, openChromium, type User, withPage } from "@/tests/bench/chromium";
import { fillD1, fillTen } from "@/tests/bench/data-set";
import { kilobytes, type Limit, spread, table, verdict } from "@/tests/bench/figures";
import { countAllNodes } from "@/tests/bench/library-nodes";
import { libraryRound, type Round } from "@/tests/bench/library-round";

const ROUNDS = 15;
const NODES: Limit = { must: 2_500, aim: 1_800 };
const INP: Limit = { must: 200, aim: 100 };

type Row = { name: string; figure: keyof Round; digits: number; limit?: Limit; scale?: (value: number) => number };

/** Figures with a limit first; the others show where to look. */
const ROWS: Row[] = [
  { name: "LCP, ms", figure: "lcp", digits: 0, limit: { must: 2_500, aim: 1_200 } },
  { name: "INP of a key in the search field, ms", figure: "firstKey", digits: 0, limit: INP },
  { name: "INP of opening a project, ms", figure: "click", digits: 0, limit: INP },
  { name: "INP of a key with that one open, ms", figure: "key", digits: 0, limit: INP },
  { name: "CLS, load to search result", figure: "cls", digits: 4, limit: { must: 0.1, aim: 0 } },
  { name: "first payload, HTML, KB gz", figure: "html", digits: 1, limit: { must: 100, aim: 30 }, scale: kilobytes },
  { name: "  and the rows it asks for, KB gz", figure: "rows", digits: 1, scale: kilobytes },
  { name: "  main thread until quiet, ms", figure: "work", digits: 0 },
  { name: "  longest task of the opening, ms", figure: "clickTask", digits: 0 },
  { name: "  longest task of the last key, ms", figure: "keyTask", digits: 0 },
  { name: "  longest task of its search, ms", figure: "searchTask", digits: 0 },
];

export const library: Benchmark = {
  name: "library",
  about:
    "the Content Library at 10 and at 10,000 pieces: paint, interaction, shift, DOM nodes, first payload (minutes)",
  run: measureLibrary,
};

async function measureLibrary(bench: Bench): Promise<void> {
  const browser = await openChromium(bench);
  const { databaseUrl } = bench.stack;
  const few = await newUser(browser, bench, "ten");
  const many = await newUser(browser, bench, "many");
  await fillTen(databaseUrl, few.id);
  const projects = await step(bench.print, "The data set", () => fillD1(databaseUrl, many.id));
  const { ten, d1 } = await step(bench.print, `${ROUNDS} rounds`, () => rounds(browser, bench, few.user, many.user));
  bench.print(`\nThe Content Library, CPU 4 times slower, empty cache: median (p10–p90) of ${ROUNDS} rounds by turns`);
  for (const line of table(
    ["", "10 pieces", "10,000 pieces", "must", "aim", ""],
    ROWS.map((row) => rowOf(row, ten, d1)),
  )) {
    bench.print(line);
  }
  const counts = await countAllNodes(browser, bench, many.user, projects);
  bench.print(`\nDOM nodes at 10,000 pieces (must ${NODES.must}, aim ${NODES.aim})`);
  const lines = counts.map(({ screen, when, nodes }) => [screen, when, String(nodes), verdict(nodes, NODES)]);
  for (const line of table(["screen", "when", "nodes", ""], lines)) bench.print(line);
}

/** A warm-up round each, then alternating, so that a slow spell of the machine affects both. */
async function rounds(browser: Browser, bench: Bench, few: User, many: User) {
  const ten: Round[] = [];
  const d1: Round[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const pair = [await libraryRound(browser, bench, few), await libraryRound(browser, bench, many)] as const;
    bench.print(`  ${round + 1} of ${ROUNDS} …`);
    if (round < 0) continue;
    ten.push(pair[0]);
    d1.push(pair[1]);
  }
  return { ten, d1 };
}

function rowOf({ name, figure, digits, limit, scale = (value) => value }: Row, ten: Round[], d1: Round[]): string[] {
  const [few, many] = [ten, d1].map((side) => spread(side.map((round) => scale(round[figure]))));
  if (!few || !many) return [name];
  const cell = ({ median, p10, p90 }: typeof few) =>
    `${median.toFixed(digits)} (${p10.toFixed(digits)}–${p90.toFixed(digits)})`;
  const said = limit ? [String(limit.must), String(limit.aim), verdict(many.median, limit)] : [];
  return [name, cell(few), cell(many), ...said];
}

function newUser(browser: Browser, bench: Bench, username: string): Promise<{ id: string; user: User }> {
  return withPage(browser, bench, undefined, async (page) => {
    const context = page.context();
    const input = { username, password: "a calm desk for words" };
    const { id } = await call<{ id: string }>(context, bench, "/api/register", input);
    // Without credentials the publishing screens show a notice instead of the content.
    const { url, username: wordpressUsername, applicationPassword } = siteOf(bench);
    const settings = { wordpressUrl: url, wordpressUsername, wordpressPassword: applicationPassword };
    await call(context, bench, "/api/user/settings", settings, "PATCH");
    return { id, user: await context.storageState() };
  });
}

function siteOf({ stack }: Bench) {
  if (!stack.samples) throw new Error("The benchmark needs the samples.");
  return stack.samples.wordpress;
}
