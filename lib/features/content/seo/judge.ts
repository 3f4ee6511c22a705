import type { Root } from "hast";
import type { Judged, Material } from "@/lib/features/content/seo/material";
import { readMaterial } from "@/lib/features/content/seo/read";
import type { Verdict } from "@/lib/features/content/seo/rule";
import { RULES, type RuleId } from "@/lib/features/content/seo/rules";

/** What a rule says of a piece, with its words and the points that it has given. */
export type Judgement = Verdict & { rule: RuleId; name: string; why: string; points: number; reached: number };

/** `score`: 0 to 100; null where no rule could judge. `hasForms`: whether other forms of the focus keyword's words count. */
export type SeoReport = { score: number | null; judgements: Judgement[]; hasForms: boolean };

const SHARE = { good: 1, fair: 0.5, poor: 0, unknown: 0 } as const;

/** Judges a piece, whose body is given as a tree with the lines of its blocks. */
export function judge(piece: Judged, tree: Root): SeoReport {
  return judgeMaterial(readMaterial(piece, tree));
}

export function judgeMaterial(material: Material): SeoReport {
  const ids = Object.keys(RULES) as RuleId[];
  const judgements = ids.map((id) => {
    const { points, rule } = RULES[id];
    const verdict = rule.judge(material);
    return { ...verdict, rule: id, name: rule.name, why: rule.why, points, reached: points * SHARE[verdict.mark] };
  });
  return { score: scoreOf(judgements), judgements, hasForms: material.keyword?.hasForms ?? true };
}

/** The points reached out of those that could be. */
function scoreOf(judgements: Judgement[]): number | null {
  const judged = judgements.filter(({ mark }) => mark !== "unknown");
  const possible = judged.reduce((sum, { points }) => sum + points, 0);
  if (possible === 0) return null;
  return Math.round((judged.reduce((sum, { reached }) => sum + reached, 0) / possible) * 100);
}
