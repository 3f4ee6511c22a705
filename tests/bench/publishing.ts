import { parseArgs } from "node:util";
import { BODY_MAX } from "@/lib/features/content/rules";
import { step } from "@/scripts/progress";
import type { WordPressBuild } from "@/scripts/wordpress-builds";
import type { Bench, Benchmark } from "@/tests/bench/benchmark";
import { startDistantSite } from "@/tests/bench/distant-site";
import { type Limit, spread, table } from "@/tests/bench/figures";
import {
  articleBody,
  largestBody,
  newProject,
  newPublisher,
  type Publisher,
  publishAll,
} from "@/tests/bench/publishing-projects";
import { type SitePost, siteWriter, type Way } from "@/tests/bench/site-writes";
import { idleSeconds, usageOf, watchResident } from "@/tests/bench/usage";
import { type RealWordPress, startRealWordPress } from "@/tests/support/real-wordpress";

/** Limits for our share of the site's own best rate. */
const SHARE: Limit = { must: 0.65, aim: 0.8 };
const RESIDENT: Limit = { must: 450, aim: 300 };

// `taskset -c 1 npm run bench -- publishing --site-cpus 0` gives the site a processor of its own, as a machine elsewhere;
// `--build double` takes the sample site, which works by waiting.

/** How many requests the loop beside us has under way: the best of these counts. */
const CONCURRENCIES = [1, 2, 3, 4, 6];
const PHP_WORKERS = 8;

export const publishing: Benchmark = {
  name: "publishing",
  about:
    "publish-all beside the best that the same real WordPress can do (10 minutes; --pieces, --rounds, --build, --large)",
  environment: async () => ({ WORDPRESS_ALLOWED_HOSTS: "127.0.0.0/8" }),
  run: measurePublishing,
};

type Options = { pieces: number; rounds: number; large: number; build: WordPressBuild | "double"; cpus?: string };

/** Seconds, the CPU seconds that the app and the site spent, and those that nobody needed. */
type Round = { seconds: number; app: number; site: number; idle: number };
/** Resident memory in bytes, and what the site was asked. */
type OurRound = Round & { steady: number; resident: number; requests: Map<string, number> };

async function measurePublishing(bench: Bench): Promise<void> {
  const options = optionsOf(bench.args);
  const site = await step(bench.print, `WordPress (${options.build})`, () =>
    options.build === "double"
      ? startDistantSite()
      : startRealWordPress({ build: options.build, cpus: options.cpus, phpWorkers: PHP_WORKERS }),
  );
  await bench.shutdown.add(site.stop);
  const loop = siteWriter(site);
  const user = await newPublisher(bench.stack, site);
  // Starts what the first publish starts: threads, connections, the category.
  await publishAll(bench.stack, user, await newProject(bench.stack, user, { pieces: 50, body: articleBody }));
  if (options.large > 0) return measureLarge(bench, user, options.large);
  const texts = await loop.posts();
  const posts = Array.from({ length: options.pieces }, (_, n) => postOf(texts, n));

  const measure = measuring(bench, site);
  const sweep = await step(bench.print, "The site's own best concurrency", () => sweepOf(loop, posts));
  const best = { once: fastestOf(sweep.once), twice: fastestOf(sweep.twice) };
  const figures: Figures = { texts, sweep, best, ours: [], again: [], once: [], twice: [] };
  for (let n = 1; n <= options.rounds; n++) {
    await step(bench.print, `Round ${n} of ${options.rounds}`, async () => {
      await loop.clear();
      const project = await newProject(bench.stack, user, { pieces: options.pieces, body: articleBody });
      for (const kind of ["ours", "again"] as const) {
        const before = site.requests().length;
        const steady = usageOf(bench.stack.appPid).resident;
        const memory = watchResident(bench.stack.appPid);
        const round = await measure(() => publishAll(bench.stack, user, project));
        const requests = countOf(site.requests().slice(before));
        figures[kind].push({ ...round, steady, resident: memory.end(), requests });
      }
      for (const way of ["twice", "once"] as const) {
        await loop.clear();
        figures[way].push(await measure(() => loop.write(posts, way, best[way])));
      }
    });
  }
  for (const line of report(options, figures)) bench.print(line);
}

function optionsOf(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      pieces: { type: "string", default: "500" },
      rounds: { type: "string", default: "3" },
      large: { type: "string", default: "0" },
      "site-cpus": { type: "string" },
      build: { type: "string", default: "debian" },
    },
  });
  const { pieces, rounds, large, build } = values;
  return {
    pieces: Number(pieces),
    rounds: Number(rounds),
    large: Number(large),
    build: build as Options["build"],
    cpus: values["site-cpus"],
  };
}

/** Measures memory alone: the pieces are as long as they may be. */
async function measureLarge(bench: Bench, user: Publisher, pieces: number): Promise<void> {
  const { stack, print } = bench;
  const project = await newProject(stack, user, { pieces, body: largestBody });
  const steady = usageOf(stack.appPid).resident;
  const memory = watchResident(stack.appPid);
  const seconds = await step(print, `${pieces} pieces of the largest size`, () => publishAll(stack, user, project));
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(0)} MB`;
  print(`\nPublish-all of ${pieces} pieces of ${BODY_MAX} characters: ${seconds.toFixed(0)} s`);
  print(
    `  resident: ${megabytes(steady)} before, ${megabytes(memory.end())} at most (must ${RESIDENT.must}, aim ${RESIDENT.aim})`,
  );
}

function postOf(texts: SitePost[], n: number): SitePost {
  const { content, categories } = texts[n % texts.length] as SitePost;
  return { title: `Lesson ${n} of the loop`, content, categories };
}

/** Posts a second of each way at each concurrency. */
type Sweep = Record<Way, Map<number, number>>;

async function sweepOf(loop: ReturnType<typeof siteWriter>, posts: SitePost[]): Promise<Sweep> {
  const sweep: Sweep = { once: new Map(), twice: new Map() };
  const some = posts.slice(0, 200);
  for (const way of ["once", "twice"] as const) {
    for (const concurrency of CONCURRENCIES) {
      await loop.clear();
      sweep[way].set(concurrency, some.length / (await loop.write(some, way, concurrency)));
    }
  }
  return sweep;
}

function fastestOf(rates: Map<number, number>): number {
  return [...rates].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

function measuring({ stack }: Bench, site: RealWordPress) {
  const now = () => ({ app: usageOf(stack.appPid).cpu, site: usageOf(site.pid).cpu, idle: idleSeconds() });
  return async (work: () => Promise<number>): Promise<Round> => {
    const before = now();
    const seconds = await work();
    const after = now();
    return { seconds, app: after.app - before.app, site: after.site - before.site, idle: after.idle - before.idle };
  };
}

function countOf(requests: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of requests) {
    const kind = each.replace(/\?.*/, "").replace(/\d+$/, "N");
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

type Figures = {
  texts: SitePost[];
  sweep: Sweep;
  best: Record<Way, number>;
  ours: OurRound[];
  again: OurRound[];
  once: Round[];
  twice: Round[];
};

function report({ pieces, build }: Options, { texts, sweep, best, ours, again, once, twice }: Figures): string[] {
  const rate = (rounds: Round[]) => spread(rounds.map(({ seconds }) => pieces / seconds));
  const mine = rate(ours);
  const perPost = (rounds: Round[], figure: "app" | "site" | "idle") =>
    spread(rounds.map((round) => (1_000 * round[figure]) / pieces)).median.toFixed(1);
  const row = (name: string, rounds: Round[], note: string) => {
    const { median, p10, p90 } = rate(rounds);
    const share = (mine.median / median).toFixed(2);
    const cpu = (["site", "app", "idle"] as const).map((figure) => perPost(rounds, figure));
    return [name, `${median.toFixed(1)} (${p10.toFixed(1)}–${p90.toFixed(1)})`, share, ...cpu, note];
  };
  const most = (rounds: OurRound[], figure: "steady" | "resident") =>
    (Math.max(...rounds.map((round) => round[figure])) / 1_000_000).toFixed(0);
  const length = texts.reduce((total, { content }) => total + content.length, 0) / texts.length;
  const asked = (rounds: OurRound[]) =>
    [...(rounds.at(-1)?.requests ?? [])].map(([kind, count]) => `${count} × ${kind}`).join(", ");
  const swept = (way: Way) => [...sweep[way]].map(([at, posts]) => `${at}: ${posts.toFixed(1)}`).join(", ");
  return [
    `\nPublish-all of ${pieces} pieces, ${(length / 1_000).toFixed(1)} KB each, on WordPress (${build}): median (p10–p90) of ${ours.length} rounds by turns`,
    ...table(
      ["", "posts a second", "our share", "site", "app", "idle", ""],
      [
        row("publish-all", ours, ""),
        row("the site's best, two writes a post", twice, `must ${SHARE.must}, aim ${SHARE.aim}; ${best.twice} at once`),
        row("the site's best, one write a post", once, `${best.once} at once`),
      ],
    ),
    "site, app, idle: ms of CPU a post. Publish-all writes a post twice: the creation carries the marker and no text, so that a lost answer never leaves a second live post.",
    `  the loop at 1 to 6 at once, one write a post: ${swept("once")}; two: ${swept("twice")}`,
    `  requests: ${asked(ours)}`,
    `  resident: ${most(ours, "steady")} MB before, ${most(ours, "resident")} MB at most (must ${RESIDENT.must}, aim ${RESIDENT.aim})`,
    `Unchanged: ${spread(again.map(({ seconds }) => seconds)).median.toFixed(2)} s; requests: ${asked(again)}`,
  ];
}
