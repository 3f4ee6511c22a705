import { parseArgs } from "node:util";
import { BODY_MAX } from "@/lib/features/content/rules";
import { step } from "@/scripts/progress";
import type { WordPressBuild } from "@/scripts/wordpress-builds";
import type { Bench, Benchmark } from "@/tests/bench/benchmark";
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
import { usageOf, watchResident } from "@/tests/bench/usage";
import { type RealWordPress, startRealWordPress } from "@/tests/support/real-wordpress";

/** Of the site's own best. */
const SHARE: Limit = { must: 0.8, aim: 0.95 };
const RESIDENT: Limit = { must: 450, aim: 300 };

// `taskset -c 1 npm run bench -- publishing --site-cpus 0` gives the site a processor of its own, as a machine elsewhere.

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

type Options = { pieces: number; rounds: number; large: number; build: WordPressBuild; cpus?: string };

/** One publish-all: seconds, the app's CPU seconds, its largest resident size, and what the site was asked. */
type Round = { seconds: number; cpu: number; resident: number; requests: Map<string, number> };

async function measurePublishing(bench: Bench): Promise<void> {
  const options = optionsOf(bench.args);
  const site = await step(bench.print, `WordPress (${options.build})`, () =>
    startRealWordPress({ build: options.build, cpus: options.cpus, phpWorkers: PHP_WORKERS }),
  );
  await bench.shutdown.add(site.stop);
  const loop = siteWriter(site);
  const person = await newPublisher(bench.stack, site);
  // Starts what the first publish starts: threads, connections, the category.
  await publishAll(bench.stack, person, await newProject(bench.stack, person, { pieces: 50, body: articleBody }));
  if (options.large > 0) return measureLarge(bench, person, options.large);
  const texts = await loop.posts();
  const posts = Array.from({ length: options.pieces }, (_, n) => postOf(texts, n));

  const rounds: Record<"ours" | "again", Round[]> = { ours: [], again: [] };
  const best = await step(bench.print, "The site's own best concurrency", () => bestConcurrencies(loop, posts));
  const seconds: Record<Way, number[]> = { once: [], twice: [] };
  for (let n = 1; n <= options.rounds; n++) {
    await step(bench.print, `Round ${n} of ${options.rounds}`, async () => {
      await loop.clear();
      const project = await newProject(bench.stack, person, { pieces: options.pieces, body: articleBody });
      rounds.ours.push(await publishRound(bench, site, person, project));
      rounds.again.push(await publishRound(bench, site, person, project));
      for (const way of ["twice", "once"] as const) {
        await loop.clear();
        seconds[way].push(await loop.write(posts, way, best[way]));
      }
    });
  }
  for (const line of report(options, { texts, best, seconds, ...rounds })) bench.print(line);
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
    build: build as WordPressBuild,
    cpus: values["site-cpus"],
  };
}

/** Memory alone: pieces as long as they may be. */
async function measureLarge(bench: Bench, person: Publisher, pieces: number): Promise<void> {
  const { stack, print } = bench;
  const project = await newProject(stack, person, { pieces, body: largestBody });
  const steady = usageOf(stack.appPid).resident;
  const memory = watchResident(stack.appPid);
  const { seconds } = await step(print, `${pieces} pieces of the largest size`, () =>
    publishAll(stack, person, project),
  );
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

async function bestConcurrencies(loop: ReturnType<typeof siteWriter>, posts: SitePost[]): Promise<Record<Way, number>> {
  const best = { once: 1, twice: 1 };
  for (const way of ["once", "twice"] as const) {
    let fastest = Number.POSITIVE_INFINITY;
    for (const concurrency of CONCURRENCIES) {
      await loop.clear();
      const seconds = await loop.write(posts.slice(0, 200), way, concurrency);
      if (seconds < fastest) [fastest, best[way]] = [seconds, concurrency];
    }
  }
  return best;
}

async function publishRound(bench: Bench, site: RealWordPress, person: Publisher, project: number): Promise<Round> {
  const { appPid } = bench.stack;
  const before = { cpu: usageOf(appPid).cpu, requests: site.requests().length };
  const memory = watchResident(appPid);
  const { seconds } = await publishAll(bench.stack, person, project);
  const resident = memory.end();
  return {
    seconds,
    cpu: usageOf(appPid).cpu - before.cpu,
    resident,
    requests: countOf(site.requests().slice(before.requests)),
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
  best: Record<Way, number>;
  seconds: Record<Way, number[]>;
  ours: Round[];
  again: Round[];
};

function report({ pieces, build }: Options, { texts, best, seconds, ours, again }: Figures): string[] {
  const rate = (all: number[]) => spread(all.map((each) => pieces / each));
  const mine = rate(ours.map((each) => each.seconds));
  const row = (name: string, all: number[], note: string) => {
    const { median, p10, p90 } = rate(all);
    return [
      name,
      `${median.toFixed(1)} (${p10.toFixed(1)}–${p90.toFixed(1)})`,
      (mine.median / median).toFixed(2),
      note,
    ];
  };
  const cpu = spread(ours.map((each) => (1_000 * each.cpu) / pieces)).median;
  const resident = Math.max(...ours.map((each) => each.resident)) / 1_000_000;
  const length = texts.reduce((total, { content }) => total + content.length, 0) / texts.length;
  const asked = ({ requests }: Round) => [...requests].map(([kind, count]) => `${count} × ${kind}`).join(", ");
  const [first] = ours.slice(-1);
  const [unchanged] = again.slice(-1);
  return [
    `\nPublish-all of ${pieces} pieces, ${(length / 1_000).toFixed(1)} KB each, on WordPress (${build}): median (p10–p90) of ${ours.length} rounds by turns`,
    ...table(
      ["", "posts a second", "our share", ""],
      [
        row(
          "publish-all",
          ours.map((each) => each.seconds),
          "",
        ),
        row(
          "the site's best, two writes a post",
          seconds.twice,
          `must ${SHARE.must}, aim ${SHARE.aim}; ${best.twice} at once`,
        ),
        row("the site's best, one write a post", seconds.once, `${best.once} at once`),
      ],
    ),
    "Publish-all writes a post twice: the creation carries the marker and no text, so that a lost answer never leaves a second live post.",
    `  requests: ${first ? asked(first) : ""}`,
    `  the app's CPU: ${cpu.toFixed(1)} ms a post; resident: ${resident.toFixed(0)} MB at most (must ${RESIDENT.must}, aim ${RESIDENT.aim})`,
    `Unchanged: ${(spread(again.map((each) => each.seconds)).median).toFixed(2)} s; requests: ${unchanged ? asked(unchanged) : ""}`,
  ];
}
