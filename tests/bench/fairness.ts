import { parseArgs } from "node:util";
import { z } from "zod";
import { step } from "@/scripts/progress";
import type { Bench, Benchmark } from "@/tests/bench/benchmark";
import type { Attack } from "@/tests/bench/fairness/attack";
import { chosenAttacks } from "@/tests/bench/fairness/attacks";
import { type FiguresFile, readFigures, saveFigures } from "@/tests/bench/fairness/figures-file";
import { newOthers } from "@/tests/bench/fairness/others";
import { reportOf } from "@/tests/bench/fairness/report";
import { createSides, type Measured } from "@/tests/bench/fairness/sides";
import { summaryOf } from "@/tests/bench/fairness/summary";

export const fairness: Benchmark = {
  name: "fairness",
  about:
    "what one user or stranger costs the others (60 minutes; --attack, --rounds, --seconds, --large, --save, --before)",
  // The limits of production: some of them are what protects the others.
  environment: async () => ({ RATE_LIMIT_SCALE: "1", WORDPRESS_ALLOWED_HOSTS: "127.0.0.0/8" }),
  run: measureFairness,
};

const WARM_UP_SECONDS = 5;

type Options = {
  attacks: Attack[];
  rounds: number;
  seconds: number;
  save: string | undefined;
  before: FiguresFile | undefined;
};

/** Goes on after an attack that could not be measured, and throws with its name at the end. */
async function measureFairness(bench: Bench): Promise<void> {
  const { attacks, rounds, seconds, save, before } = optionsOf(bench.args);
  const others = await step(bench.print, "The other user and their pieces", () => newOthers(bench));
  const runSide = await createSides(bench, others);
  await runSide({ side: { calls: [] }, seconds: WARM_UP_SECONDS });
  const failed: string[] = [];
  for (const attack of attacks) {
    try {
      const measured = await measure(attack);
      for (const line of reportOf(attack, measured, before?.[attack.name])) bench.print(line);
      if (save) saveFigures(save, attack.name, measured);
    } catch (error) {
      failed.push(attack.name);
      bench.print(`\n${attack.name} could not be measured: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (failed.length > 0) throw new Error(`Not measured: ${failed.join(", ")}.`);

  async function measure(attack: Attack) {
    const sideOf = await attack.prepare(bench);
    const [alone, attacked]: [Measured[], Measured[]] = [[], []];
    for (let n = 1; n <= Math.min(rounds, attack.rounds ?? rounds); n++) {
      await step(bench.print, `${attack.name}, round ${n}`, async () => {
        alone.push(await runSide({ side: await sideOf(false), seconds }));
        const { pattern } = attack;
        attacked.push(await runSide({ side: await sideOf(true), pattern, seconds: attack.seconds ?? seconds }));
      });
    }
    return summaryOf(alone, attacked);
  }
}

function optionsOf(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      attack: { type: "string", multiple: true, default: [] },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "10" },
      large: { type: "boolean", default: false },
      save: { type: "string" },
      before: { type: "string" },
    },
  });
  return {
    attacks: chosenAttacks(values.attack, values.large),
    rounds: countOf("rounds", values.rounds),
    seconds: countOf("seconds", values.seconds),
    save: values.save,
    before: values.before === undefined ? undefined : readFigures(values.before),
  };
}

function countOf(option: string, typed: string): number {
  const parsed = z.coerce.number().int().min(1).safeParse(typed);
  if (!parsed.success) throw new Error(`--${option} takes a whole number from 1, not ${typed}.`);
  return parsed.data;
}
