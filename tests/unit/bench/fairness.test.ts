import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Attack } from "@/tests/bench/fairness/attack";
import { chosenAttacks } from "@/tests/bench/fairness/attacks";
import { readFigures, saveFigures } from "@/tests/bench/fairness/figures-file";
import { reportOf } from "@/tests/bench/fairness/report";
import type { Measured } from "@/tests/bench/fairness/sides";
import { summaryOf } from "@/tests/bench/fairness/summary";

const attack: Attack = {
  name: "knocking",
  about: "somebody knocks",
  pattern: { kind: "once" },
  prepare: async () => async () => ({ calls: [] }),
  growth: { of: "queue, s", limit: { must: 1.1, aim: 1.05 } },
};

/** A side in which the other user saves: these times and statuses. */
function side(times: number[], statuses: Record<string, number>, seconds: number): Measured {
  return {
    others: { saves: { times, statuses } },
    attack: { times: [5], statuses: { 429: 1 } },
    beside: { "queue, s": seconds },
    residentMost: 300_000_000,
    residentAtEnd: 200_000_000,
    load: 1.5,
  };
}

describe("the figures of the fairness benchmark", () => {
  it("counts 5xx apart from other failures, over all rounds together", () => {
    const calm = side([10, 20], { 200: 2 }, 10);
    const { people } = summaryOf(
      [calm],
      [side([30, 900], { 200: 1, 503: 1 }, 12), side([30, 60_000], { 200: 1, "no answer": 1, 429: 1 }, 12)],
    );
    expect(people.saves?.alone).toEqual({ count: 2, p50: 15, p99: 19.9, serverErrors: 0, failures: 0 });
    expect(people.saves?.attacked).toMatchObject({ count: 4, serverErrors: 1, failures: 2 });
  });

  it("prints the figures of before beside those of now, and judges what the others wait for", () => {
    const before = summaryOf([side([20], { 200: 1 }, 10)], [side([4_000], { 200: 1 }, 20)]);
    const now = summaryOf([side([20], { 200: 1 }, 10)], [side([200], { 200: 1 }, 10.9)]);
    const lines = reportOf(attack, now, before).join("\n");
    expect(lines).toMatch(/saves +20 +20 +200 +200 +0 +0 +250 +held +4000 +4000 +0 +0/);
    expect(lines).toMatch(/queue, s +10 +11 +× 1\.1 +held +20/);
    expect(reportOf(attack, before, undefined).join("\n")).toMatch(/saves .* missed$/m);
  });

  it("leaves memory unknown when the app's process is gone", () => {
    const { figures } = summaryOf([side([1], {}, 1)], [{ ...side([1], {}, 1), residentMost: undefined }]);
    expect(figures["RSS at most, MB"]).toEqual({ alone: 300, attacked: null });
  });

  it("adds an attack's figures to those that a file has, and reads no other file", () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), "fairness-")), "before.json");
    const measured = summaryOf([side([1], {}, 1)], [side([2], {}, 1)]);
    saveFigures(file, "one", measured);
    saveFigures(file, "two", measured);
    expect(readFigures(file)).toEqual({ one: measured, two: measured });
    writeFileSync(file, '{"one":{"p99":3}}');
    expect(() => readFigures(file)).toThrow("has no figures that --save has written");
  });

  it("names each attack once, and chooses by the beginning of the name", () => {
    const names = chosenAttacks([], true).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(chosenAttacks(["cancel"], false).map(({ name }) => name)).toEqual(["cancel-1000"]);
    expect(() => chosenAttacks(["nothing"], false)).toThrow("The attacks are: cookies-api");
  });
});
