import type { Bench } from "@/tests/bench/benchmark";
import { type Attack, always } from "@/tests/bench/fairness/attack";
import { insertProjects } from "@/tests/bench/fairness/rows";
import type { Call } from "@/tests/bench/fairness/traffic";
import { newUser } from "@/tests/bench/fairness/users";

/** The most projects that a user may have, with the longest descriptions: an answer of 15 MB. */
const PROJECTS = 1_000;
const DESCRIPTION = 5_000;
/** The server gives up on a socket after 60 s: its memory is looked at well after that. */
const UNREAD_SECONDS = 100;

export const largeListAttacks: Attack[] = [
  {
    name: "large-list",
    about: "4 connections ask for 1,000 projects with long descriptions: GET /api/projects",
    pattern: { kind: "loop", connections: 4 },
    prepare: always(largeList),
  },
  {
    name: "unread-list",
    about: "120 readers ask for the same list and never read it; memory at the end is that after 100 s",
    pattern: { kind: "unread", sockets: 120 },
    seconds: UNREAD_SECONDS,
    rounds: 1,
    prepare: always(largeList),
  },
];

async function largeList(bench: Bench): Promise<Call[]> {
  const user = await newUser(bench);
  await insertProjects(bench, user, PROJECTS, DESCRIPTION);
  return [{ method: "GET", path: "/api/projects", cookie: user.cookie }];
}
