import type { Attack } from "@/tests/bench/fairness/attack";
import type { Shots, Summary } from "@/tests/bench/fairness/figures-file";
import { type Limit, table, verdict } from "@/tests/bench/figures";

/** Milliseconds that 99 of 100 calls of the others take at most, whatever the attacker does. */
const OTHERS_P99: Limit = { must: 250, aim: 100 };
const HEAD = ["", "alone p50", "p99", "attacked p50", "p99", "5xx", "other", "must", ""];
const HEAD_BEFORE = ["before p50", "p99", "5xx", "other"];
const UNKNOWN = "–";

/** One attack's table: without and with it, and with it before, where those figures are known. */
export function reportOf(attack: Attack, measured: Summary, before: Summary | undefined): string[] {
  const rows = [
    ...Object.entries(measured.people).map(([name, sides]) => [
      name,
      ...[sides.alone.p50, sides.alone.p99].map(shown),
      ...cellsOf(sides.attacked),
      ...judged(sides.attacked.p99, OTHERS_P99),
      ...cellsOf(before?.people[name]?.attacked),
    ]),
    ["the attacker", "", "", ...cellsOf(measured.attack), "", "", ...cellsOf(before?.attack)],
    ...Object.entries(measured.figures).map(([name, { alone, attacked }]) => [
      name,
      ...[shown(alone), "", shown(attacked), "", "", ""],
      ...(attack.growth?.of === name ? grown(alone, attacked, attack.growth.limit) : ["", ""]),
      ...[shown(before?.figures[name]?.attacked), "", "", ""],
    ]),
  ];
  const width = before ? HEAD.length + HEAD_BEFORE.length : HEAD.length;
  return [
    `\n${attack.name}: ${attack.about}`,
    ...table(
      [...HEAD, ...HEAD_BEFORE].slice(0, width),
      rows.map((row) => row.slice(0, width)),
    ),
    `ms; ${measured.rounds} rounds, load average ${loadOf(measured, before)}. The attacker was answered ${statusesOf(measured)}${before ? `; before: ${statusesOf(before)}` : ""}`,
  ];
}

function cellsOf(shots: Shots | undefined): string[] {
  if (!shots) return ["", "", "", ""];
  return [shown(shots.p50), shown(shots.p99), String(shots.serverErrors), String(shots.failures)];
}

function judged(value: number | null, limit: Limit): string[] {
  return [String(limit.must), value === null ? "unknown" : verdict(value, limit)];
}

function grown(alone: number | null, attacked: number | null, limit: Limit): string[] {
  return [`× ${limit.must}`, alone && attacked ? verdict(attacked / alone, limit) : "unknown"];
}

function shown(value: number | null | undefined): string {
  if (value === undefined) return "";
  return value === null ? UNKNOWN : value.toFixed(value < 10 ? 1 : 0);
}

function loadOf(measured: Summary, before: Summary | undefined): string {
  return `${measured.load.toFixed(1)}${before ? ` (before ${before.load.toFixed(1)})` : ""}`;
}

function statusesOf({ statuses }: Summary): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return counts.join(", ") || "nothing";
}
