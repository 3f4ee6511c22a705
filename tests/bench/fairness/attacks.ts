import type { Attack } from "@/tests/bench/fairness/attack";
import { cancelAttacks } from "@/tests/bench/fairness/attacks/cancelling";
import { cookieAttacks } from "@/tests/bench/fairness/attacks/cookies";
import { engineDoorAttacks } from "@/tests/bench/fairness/attacks/engine-door";
import { ideaAttacks } from "@/tests/bench/fairness/attacks/ideas";
import { largeListAttacks } from "@/tests/bench/fairness/attacks/large-list";
import { leavingAttacks } from "@/tests/bench/fairness/attacks/leaving";
import { sessionAttacks } from "@/tests/bench/fairness/attacks/one-session";
import { parameterAttacks } from "@/tests/bench/fairness/attacks/parameters";
import { siteAttacks } from "@/tests/bench/fairness/attacks/same-site";

const ATTACKS: Attack[] = [
  ...cookieAttacks,
  ...parameterAttacks,
  ...sessionAttacks,
  ...largeListAttacks,
  ...engineDoorAttacks,
  ...cancelAttacks,
  ...siteAttacks,
  ...ideaAttacks,
  ...leavingAttacks,
];

/** Returns the attacks whose names begin with one of these words, or all. Throws with the names if there is none. */
export function chosenAttacks(words: string[], isLarge: boolean): Attack[] {
  const able = ATTACKS.filter((attack) => isLarge || !attack.isLarge);
  const chosen = able.filter(({ name }) => words.length === 0 || words.some((word) => name.startsWith(word)));
  if (chosen.length === 0) throw new Error(`The attacks are: ${able.map(({ name }) => name).join(", ")}.`);
  return chosen;
}
