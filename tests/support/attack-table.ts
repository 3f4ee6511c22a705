import { type ProbeResult, p99 } from "@/tests/support/latency-probe";

/** One call; times in milliseconds since the epoch. */
export type Attack = { group: string; what: string; at: number; ms: number; answer: string };

export const [HEALTH, PROJECTS] = ["/api/health", "/api/projects"];

export function responsesTo(asked: ProbeResult[], path: string): ProbeResult[] {
  return asked.filter(({ url }) => new URL(url).pathname === path);
}

/** A line per group: number of calls, the slowest and its response, and how long others waited meanwhile. */
export function formatAttacks(attacks: Attack[], asked: ProbeResult[]): string {
  const ms = (time: number) => `${time.toFixed(0)} ms`;
  const lines = grouped(attacks, ({ group }) => group).map(([group, calls]) => {
    const slowest = calls.reduce((one, other) => (other.ms > one.ms ? other : one));
    const meanwhile = asked.filter((one) =>
      calls.some((call) => one.at + one.ms >= call.at && one.at <= call.at + call.ms),
    );
    const others = (path: string) => ms(p99(responsesTo(meanwhile, path)));
    const statuses = grouped(calls, ({ answer }) => answer.slice(0, 3))
      .map(([status, those]) => `${those.length} × ${status}`)
      .join(", ");
    const answer = calls.length === 1 ? slowest.answer : `${statuses}; slowest: ${slowest.what}`;
    return `| ${group} | ${ms(slowest.ms)} | ${answer.slice(0, 120)} | ${others(HEALTH)} | ${others(PROJECTS)} |`;
  });
  const all = (path: string) => ms(p99(responsesTo(asked, path)));
  return [
    "S22: hostile texts",
    "| attack | slowest answer | answers | p99 of /api/health | p99 of another's /api/projects |",
    "|---|---|---|---|---|",
    ...lines,
    `| all ${attacks.length} | ${ms(Math.max(...attacks.map((one) => one.ms)))} | 0 × 5xx of ours, 0 restarts | ${all(HEALTH)} | ${all(PROJECTS)} |`,
    `Everybody else: ${asked.length} answers, the slowest after ${ms(Math.max(...asked.map((one) => one.ms)))}; p99 of a server that does nothing, on the same machine: ${all("/")}\n`,
  ].join("\n");
}

function grouped<T>(all: T[], keyOf: (one: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups];
}
