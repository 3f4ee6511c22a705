import autocannon from "autocannon";
import { step } from "@/scripts/progress";
import type { Bench, Benchmark } from "@/tests/bench/benchmark";
import { type Limit, table, verdict } from "@/tests/bench/figures";
import { type Heap, heapOf, inspectable } from "@/tests/bench/heap";
import { type LoadUser, mixOf, newPeople } from "@/tests/bench/load-mix";
import { openSlowConnections } from "@/tests/bench/slow-connections";

const PEOPLE = 20;
/** Enough connections to keep the app just busy, and enough that twice the load can queue. */
const BUSY = 16;
const CROWD = 512;
const CAPACITY_SECONDS = 15;
const LOAD_SECONDS = 60;
const SLOW = 600;
const PROBE_MS = 250;
const STEP = 7 * 61;

const RATIO: Limit = { must: 10, aim: 5 };
const NO_FAILURES: Limit = { must: 0, aim: 0 };
/** Growth of the heap in percent. */
const GROWTH: Limit = { must: 10, aim: 5 };

export const load: Benchmark = {
  name: "load",
  about: "reads, saves, searches and logins at twice the capacity, 600 slow connections beside them (3 minutes)",
  environment: async () => ({ ...(await inspectable()), TRUSTED_PROXY_HOPS: "1" }),
  run: measureLoad,
};

async function measureLoad(bench: Bench): Promise<void> {
  const people = await step(bench.print, `${PEOPLE} people and their pieces`, () => newPeople(bench, PEOPLE));
  await fire(bench, people, { connections: BUSY, duration: 5 });
  const capacity = await step(bench.print, "The capacity", () =>
    fire(bench, people, { connections: BUSY, duration: CAPACITY_SECONDS }),
  );
  const before = await heapOf(bench);
  const slow = await openSlowConnections(bench.stack.url, SLOW);
  const beside = probe(bench, people);
  const rate = Math.ceil(2 * capacity.perSecond);
  const loaded = await step(bench.print, `Twice the capacity for ${LOAD_SECONDS} s`, () =>
    fire(bench, people, {
      connections: CROWD,
      duration: LOAD_SECONDS,
      overallRate: rate,
      ignoreCoordinatedOmission: true,
    }),
  );
  const probes = await beside.end();
  slow.close();
  const after = await heapOf(bench);
  for (const line of report({ capacity, loaded, rate, probes, before, after, slow: slow.opened })) bench.print(line);
}

type Shots = {
  perSecond: number;
  p50: number;
  p99: number;
  /** Responses by status. */
  statuses: Map<number, number>;
  /** 5xx other than a 503 with Retry-After. */
  failures: number;
  /** Requests without a response. */
  unanswered: number;
};

/**
 * Sends the mix for `duration` seconds, each connection from another place of it: otherwise all would send the same user's
 * same request at once. Without `overallRate`, a connection sends as soon as it gets a response.
 */
async function fire(
  { stack }: Bench,
  people: LoadUser[],
  options: { connections: number; duration: number; overallRate?: number; ignoreCoordinatedOmission?: boolean },
): Promise<Shots> {
  const statuses = new Map<number, number>();
  let failures = 0;
  const seen = (status: number, _body: string, _context: object, headers: object = {}) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    if (status >= 500 && !(status === 503 && names.includes("retry-after"))) failures++;
  };
  const requests = mixOf(people, stack.url).map((request) => ({ ...request, onResponse: seen }));
  let first = 0;
  const result = await autocannon({
    url: stack.url,
    // Slow requests should be measured, not cut off.
    timeout: 60,
    requests,
    setupClient(client) {
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
      // Coprime to the length: every place is taken before one is taken again.
      first = (first + STEP) % requests.length;
    },
    ...options,
  });
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    statuses,
    failures,
    unanswered: result.errors,
  };
}

/** One more user, who lists their projects four times a second during the load. */
function probe({ stack }: Bench, [user]: LoadUser[]): { end(): Promise<number[]> } {
  const times: number[] = [];
  let ended = false;
  const asking = (async () => {
    while (!ended) {
      const began = performance.now();
      await fetch(`${stack.url}/api/projects`, { headers: { cookie: user?.cookie ?? "" } }).then((r) => r.text());
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
  })();
  return {
    async end() {
      ended = true;
      await asking;
      return times.sort((a, b) => a - b);
    },
  };
}

type Figures = {
  capacity: Shots;
  loaded: Shots;
  rate: number;
  probes: number[];
  before: Heap;
  after: Heap;
  slow: number;
};

function report({ capacity, loaded, rate, probes, before, after, slow }: Figures): string[] {
  const ratio = loaded.p99 / loaded.p50;
  const growth = Math.max(0, (after.used / before.used - 1) * 100);
  const said = (name: string, value: number, digits: number, limit: Limit) => [
    name,
    value.toFixed(digits),
    String(limit.must),
    String(limit.aim),
    verdict(value, limit),
  ];
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(0);
  const statuses = [...loaded.statuses].sort().map(([status, count]) => `${count} × ${status}`);
  return [
    `\nAt the capacity: ${capacity.perSecond.toFixed(0)} requests a second, p50 ${capacity.p50} ms, p99 ${capacity.p99} ms`,
    `At twice as many (${rate} a second asked for, ${slow} slow connections beside): ${loaded.perSecond.toFixed(0)} answered a second, p50 ${loaded.p50} ms, p99 ${loaded.p99} ms`,
    `  answers: ${statuses.join(", ")}; without an answer: ${loaded.unanswered}`,
    `  GET /api/projects of one more user: p50 ${at(probes, 0.5)} ms, p99 ${at(probes, 0.99)} ms`,
    `  heap after a collection: ${megabytes(before.used)} MB before, ${megabytes(after.used)} MB after; resident ${megabytes(before.resident)} and ${megabytes(after.resident)} MB\n`,
    ...table(
      ["", "figure", "must", "aim", ""],
      [
        said("p99 / p50 (P14)", ratio, 1, RATIO),
        said("5xx other than 503 with Retry-After (P14)", loaded.failures, 0, NO_FAILURES),
        said("heap growth, %", growth, 1, GROWTH),
      ],
    ),
  ];
}

function at(sorted: number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(0);
}
