import type { Bench } from "@/tests/bench/benchmark";
import { type Attack, always, type Prepared } from "@/tests/bench/fairness/attack";
import { insertLargeProject } from "@/tests/bench/fairness/rows";
import type { Call } from "@/tests/bench/fairness/traffic";
import { newUser, PASSWORD, type User } from "@/tests/bench/fairness/users";

/** A user with 10,000 pieces exports them, or deletes the account with them. */
export const leavingAttacks: Attack[] = [
  {
    name: "delete-account",
    about: "a user with 10,000 pieces deletes the account at the beginning: DELETE /api/user",
    pattern: { kind: "once" },
    prepare: leaving(({ username }) => ({
      method: "DELETE",
      path: "/api/user",
      body: { confirm: username, password: PASSWORD },
    })),
  },
  {
    name: "delete-project",
    about: "a user deletes a project of 10,000 pieces at the beginning: DELETE /api/projects/{id}",
    pattern: { kind: "once" },
    prepare: leaving((_, projectId) => ({ method: "DELETE", path: `/api/projects/${projectId}` })),
  },
  {
    name: "export",
    about: "a user downloads 10,000 pieces: GET /api/user/export",
    pattern: { kind: "once" },
    prepare: always(async (bench) => {
      const user = await newUser(bench);
      await insertLargeProject(bench, user);
      return [{ method: "GET", path: "/api/user/export", cookie: user.cookie }];
    }),
  },
];

/** Makes a large account for each attacked side. */
function leaving(callOf: (user: User, projectId: number) => Call): (bench: Bench) => Promise<Prepared> {
  return async (bench) => async (isAttacked) => {
    if (!isAttacked) return { calls: [] };
    const user = await newUser(bench);
    const projectId = await insertLargeProject(bench, user);
    return { calls: [{ ...callOf(user, projectId), cookie: user.cookie }] };
  };
}
