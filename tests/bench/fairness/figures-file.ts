import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { readJson } from "@/scripts/json-file";

/** Milliseconds; null without an answer. `failures`: answers other than 2xx, 3xx and 5xx, and those that never came. */
const shots = z.object({
  count: z.number(),
  p50: z.number().nullable(),
  p99: z.number().nullable(),
  serverErrors: z.number(),
  failures: z.number(),
});
/** A value without the attack, and one with it. */
const sides = <Value extends z.ZodType>(value: Value) => z.object({ alone: value, attacked: value });

const summary = z.object({
  at: z.iso.datetime(),
  /** The highest load average of the machine over a minute. */
  load: z.number(),
  rounds: z.number(),
  people: z.record(z.string(), sides(shots)),
  /** What the attacker was answered. */
  attack: shots,
  statuses: z.record(z.string(), z.number()),
  /** Other figures, such as megabytes and seconds. */
  figures: z.record(z.string(), sides(z.number().nullable())),
});
const figuresFile = z.record(z.string(), summary);

export type Shots = z.infer<typeof shots>;
export type Summary = z.infer<typeof summary>;
/** The figures by the attack's name. */
export type FiguresFile = z.infer<typeof figuresFile>;

/** Throws when there is no such file, or none of ours. */
export function readFigures(file: string): FiguresFile {
  const read = figuresFile.safeParse(readJson(file));
  if (!read.success) throw new Error(`${file} has no figures that --save has written.`);
  return read.data;
}

/** Adds an attack's figures to a file, or replaces those it has: what was measured before an end half way is kept. */
export function saveFigures(file: string, attack: string, measured: Summary): void {
  const known = figuresFile.safeParse(readJson(file));
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...(known.success ? known.data : {}), [attack]: measured }, null, 2)}\n`);
}
