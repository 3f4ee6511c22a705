import type { Bench } from "@/tests/bench/benchmark";
import { type Attack, always } from "@/tests/bench/fairness/attack";
import { insertTitles } from "@/tests/bench/fairness/rows";
import type { Call } from "@/tests/bench/fairness/traffic";
import { newUser } from "@/tests/bench/fairness/users";

const TITLES = 9_000;
const AT_ONCE = 8;
/** One user may make 30 AI calls a minute: eight every 3 s are those of six users. */
const PEOPLE = 6;

export const ideaAttacks: Attack[] = [
  {
    name: "ideas",
    about: "ideas in a project of 9,000 titles, eight at once each 3 s: POST /api/projects/{id}/generate-content-ideas",
    pattern: { kind: "bursts", size: AT_ONCE, ms: 3_000 },
    prepare: always(async (bench) => {
      const calls: Call[] = [];
      for (let n = 0; n < PEOPLE; n++) calls.push(...(await ideasOf(bench)));
      return calls;
    }),
  },
];

/** A topic can have ideas made once at a time, so each call is for another topic. */
async function ideasOf(bench: Bench): Promise<Call[]> {
  const user = await newUser(bench);
  const plans = await insertTitles(bench, user, TITLES, AT_ONCE);
  return plans.map(({ projectId, topicId }) => ({
    method: "POST",
    path: `/api/projects/${projectId}/generate-content-ideas`,
    cookie: user.cookie,
    body: { topicId, ideasPerKeyword: 3 },
  }));
}
