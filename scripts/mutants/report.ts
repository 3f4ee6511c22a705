import type { Equivalent } from "@/scripts/mutants/equivalent/equivalent";
import { type Kind, type Mutant, patchOf } from "@/scripts/mutants/mutant";

export type Judged = { mutant: Mutant; source: string; folder: string; fate: "survived" | "killed" | "invalid" };

/** The share of mutants that must be killed. */
const THRESHOLD = 0.9;
const KINDS: Kind[] = ["TypeScript", "SQL"];

export function isEquivalent(source: string, mutant: Mutant, listed: Equivalent[]): boolean {
  const { from, to } = patchOf(source, mutant);
  return listed.some((one) => one.file === mutant.file && one.from === from && one.to === to);
}

/** Entries that no longer match a mutant. */
export function outdated(listed: Equivalent[], all: { mutant: Mutant; source: string }[]): Equivalent[] {
  return listed.filter((one) => !all.some(({ mutant, source }) => isEquivalent(source, mutant, [one])));
}

/** The survivors as diffs, then a table by folder. */
export function report(judged: Judged[]): { lines: string[]; meetsThreshold: boolean } {
  const survivors = judged.filter(({ fate }) => fate === "survived");
  const rows = [...new Set(judged.map(({ folder }) => folder))].map((folder) => ({
    folder,
    shares: KINDS.map((kind) => shareOf(judged.filter((one) => one.folder === folder && one.mutant.kind === kind))),
  }));
  const width = Math.max(...rows.map(({ folder }) => folder.length), 0) + 2;
  return {
    lines: [
      ...survivors.flatMap(({ mutant, source }) => ["", ...asDiff(source, mutant)]),
      "",
      `${"killed / all".padEnd(width)}${KINDS.map((kind) => kind.padEnd(20)).join("")}`,
      ...rows.map(
        ({ folder, shares }) => `${folder.padEnd(width)}${shares.map(({ text }) => text.padEnd(20)).join("")}`,
      ),
    ],
    meetsThreshold: rows.every(({ shares }) => shares.every(({ share }) => share >= THRESHOLD)),
  };
}

function shareOf(judged: Judged[]): { share: number; text: string } {
  const valid = judged.filter(({ fate }) => fate !== "invalid");
  const killed = valid.filter(({ fate }) => fate === "killed").length;
  if (valid.length === 0) return { share: 1, text: "none" };
  return {
    share: killed / valid.length,
    text: `${killed} / ${valid.length} (${Math.floor((killed / valid.length) * 100)} %)`,
  };
}

/** A mutant as a diff. */
export function asDiff(source: string, mutant: Mutant): string[] {
  const { line, from, to } = patchOf(source, mutant);
  return [
    `${mutant.file}:${line} (${mutant.kind})`,
    ...excerpts(from, to).map((text, place) => `  ${"-+"[place]} ${text}`),
  ];
}

/** Cuts long lines to the difference and its surroundings. */
function excerpts(from: string, to: string): string[] {
  let same = 0;
  while (same < from.length && from[same] === to[same]) same++;
  const begin = Math.max(0, same - 60);
  return [from, to].map(
    (text) => `${begin > 0 ? "…" : ""}${text.slice(begin, begin + 160)}${text.length > begin + 160 ? "…" : ""}`,
  );
}
