import type { Browser, Request, Response } from "@playwright/test";
import type { Bench, Benchmark } from "@/tests/bench/benchmark";
import { call, openChromium, type User, watchRequests, withPage } from "@/tests/bench/chromium";
import { kilobytes, type Limit, table, verdict } from "@/tests/bench/figures";

const COMMON: Limit = { must: 240, aim: 200 };
const EDITOR: Limit = { must: 300, aim: 260 };
/** What the editor loads once its page is there. */
const LATE: Limit = { must: 180, aim: 150 };
/** How many scripts to list by name, largest first. */
const NAMED_SCRIPTS = 8;

type Kind = "script" | "style" | "html";
type Loaded = { url: string; kind: Kind; bytes: number; isLate: boolean };
type Weighed = { route: Route; loaded: Loaded[]; scripts: Loaded[]; late: Loaded[] };
type Route = { path: string; shown: string; limit: Limit; user: User | undefined };

export const pageWeight: Benchmark = {
  name: "page-weight",
  about: "what each route loads at first, with an empty cache: scripts, styles and HTML, as transferred",
  run: weighPages,
};

async function weighPages(bench: Bench): Promise<void> {
  const browser = await openChromium(bench);
  const weighed: Weighed[] = [];
  for (const route of await routes(browser, bench)) {
    const loaded = await loadOnce(browser, bench, route);
    if (!loaded) continue;
    const scripts = loaded.filter(({ kind }) => kind === "script");
    const [late, early] = [scripts.filter(({ isLate }) => isLate), scripts.filter(({ isLate }) => !isLate)];
    weighed.push({ route, loaded, scripts: early, late });
  }
  const head = ["route", "JS KB", "scripts", "CSS KB", "HTML KB", "must", "aim", "JS", "late KB", "must", "late"];
  bench.print("\nFirst load with an empty cache; KB = 1,000 bytes, gz. Late: scripts asked for after the load event");
  for (const line of table(head, weighed.map(rowOf))) bench.print(line);
  for (const line of whatWeighs(weighed)) bench.print(line);
}

function rowOf({ route, loaded, scripts, late }: Weighed): string[] {
  const { shown, limit } = route;
  const weight = sizeOf(scripts, "script");
  const [js, css, html] = [weight, sizeOf(loaded, "style"), sizeOf(loaded, "html")].map((size) => size.toFixed(1));
  const figures = [js, String(scripts.length), css, html].map((figure) => figure ?? "");
  const after = sizeOf(late, "script");
  const lateFigures = after > 0 ? [after.toFixed(1), String(LATE.must), verdict(after, LATE)] : ["", "", ""];
  return [shown, ...figures, String(limit.must), String(limit.aim), verdict(weight, limit), ...lateFigures];
}

/** Where to look when a limit is missed: what every route loads, and what each adds to that. */
function whatWeighs(weighed: Weighed[]): string[] {
  const [first, ...others] = weighed;
  const isCommon = ({ url }: Loaded) => others.every(({ scripts }) => scripts.some((one) => one.url === url));
  const common = first?.scripts.filter(isCommon) ?? [];
  return [
    `\nScripts of every route: ${sizeOf(common, "script").toFixed(1)} KB: ${largest(common)}`,
    ...weighed.map(({ route, scripts }) => {
      const own = scripts.filter(({ url }) => !common.some((one) => one.url === url));
      return `${route.shown} adds ${sizeOf(own, "script").toFixed(1)} KB: ${largest(own)}`;
    }),
  ];
}

/** Every screen, seen by the demo account with a piece in its project. */
async function routes(browser: Browser, bench: Bench): Promise<Route[]> {
  const { user, projectId, pieceId } = await demo(browser, bench);
  const common = ["/", `/projects/${projectId}`, "/content", "/wordpress-publishing", `/wp-publishing/${projectId}`];
  const paths = [...common, "/queue-monitor", "/settings", "/assistant"];
  return [
    { path: "/auth", shown: "/auth", limit: COMMON, user: undefined },
    ...paths.map((path) => ({ path, shown: path.replace(/\d+$/, "{id}"), limit: COMMON, user })),
    { path: `/content/${pieceId}`, shown: "/content/{id}", limit: EDITOR, user },
  ];
}

function demo(browser: Browser, bench: Bench): Promise<{ user: User; projectId: number; pieceId: string }> {
  return withPage(browser, bench, undefined, async (page) => {
    const context = page.context();
    await call(context, bench, "/api/login", bench.stack.account ?? {});
    const [project] = (await (await context.request.get("/api/projects")).json()) as { id: number }[];
    const topics = `/api/projects/${project?.id}/topics`;
    const [topic] = (await (await context.request.get(topics)).json()) as { id: number }[];
    const piece = await call<{ id: string }>(context, bench, `${topics}/${topic?.id}/content`, {
      title: "The first tray of the year",
      body: "## Before you sow\n\nFill the tray, **water** it, and wait.\n\n- mix\n- light\n- warmth\n",
    });
    return { user: await context.storageState(), projectId: project?.id ?? 0, pieceId: piece.id };
  });
}

/** What one route loads; undefined when there is no such screen. */
function loadOnce(browser: Browser, bench: Bench, { path, user }: Route): Promise<Loaded[] | undefined> {
  return withPage(browser, bench, user, async (page) => {
    const answers: { response: Response; isLate: boolean }[] = [];
    let isLoaded = false;
    const late = new Set<Request>();
    page.on("load", () => {
      isLoaded = true;
    });
    page.on("request", (request) => isLoaded && late.add(request));
    page.on("response", (response) => answers.push({ response, isLate: late.has(response.request()) }));
    const quiet = watchRequests(page);
    const status = (await page.goto(path, { waitUntil: "load" }))?.status();
    if (status === 404) return undefined;
    if (status !== 200 || new URL(page.url()).pathname !== path) {
      throw new Error(`${path} answered ${status} at ${page.url()}.`);
    }
    await quiet();
    const loaded = await Promise.all(answers.map(measured));
    return loaded.filter((one) => one !== undefined);
  });
}

async function measured({ response, isLate }: { response: Response; isLate: boolean }): Promise<Loaded | undefined> {
  const kind = kindOf(response);
  if (!kind) return undefined;
  await response.finished();
  return { url: response.url(), kind, bytes: (await response.request().sizes()).responseBodySize, isLate };
}

/** Decides by content type, so that a preloaded script counts as a script. */
function kindOf(response: Response): Kind | undefined {
  const type = response.headers()["content-type"] ?? "";
  if (type.includes("javascript")) return "script";
  if (type.includes("text/css")) return "style";
  return response.request().isNavigationRequest() ? "html" : undefined;
}

function sizeOf(loaded: Loaded[], kind: Kind): number {
  return kilobytes(loaded.filter((one) => one.kind === kind).reduce((total, { bytes }) => total + bytes, 0));
}

function largest(scripts: Loaded[]): string {
  return scripts
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, NAMED_SCRIPTS)
    .map(({ url, bytes }) => `${url.split("/").at(-1)} ${kilobytes(bytes).toFixed(1)}`)
    .join(", ");
}
