import { randomBytes } from "node:crypto";
import type { Bench } from "@/tests/bench/benchmark";
import { type Attack, always, type Prepared } from "@/tests/bench/fairness/attack";
import { regular, savesOf } from "@/tests/bench/fairness/others";
import { insertOrdinary, insertTitles } from "@/tests/bench/fairness/rows";
import type { Call } from "@/tests/bench/fairness/traffic";
import { newUser, type User } from "@/tests/bench/fairness/users";

const SAVES = 100;
const SAVED_CHARACTERS = 480_000;
const FORGED_SESSIONS = 1_000;
const TABS = 5;
const SCREENS = ["/", "/content", "/wordpress-publishing", "/queue-monitor", "/settings", "/assistant"];
/** What a screen asks for once it is there. */
const ASKED = ["/api/user", "/api/projects", "/api/queue/status", "/api/content?limit=50"];

const OWN_SAVES = "own saves";

/** One user, or one browser, asks for more than its share. */
export const sessionAttacks: Attack[] = [
  {
    name: "session-connections",
    about: "50 connections of one session: GET /api/user",
    pattern: { kind: "loop", connections: 50 },
    prepare: always(async (bench) => [readOf(await newUser(bench), "/api/user")]),
  },
  {
    name: "session-burst",
    about: "200 calls of one session at once, each 3 s: GET /api/user",
    pattern: { kind: "bursts", size: 200, ms: 3_000 },
    prepare: always(async (bench) => [readOf(await newUser(bench), "/api/user")]),
  },
  {
    name: "session-saves",
    about: "100 saves of 480 KB by one session at once: PATCH /api/content/{id}",
    pattern: { kind: "once" },
    prepare: always(largeSaves),
  },
  {
    name: "session-streams",
    about: "four open streams of one user, whose own saves are measured too",
    // The four make 27 calls a minute, each with an answer of 9 s: below the limit of 30.
    pattern: { kind: "loop", connections: 4 },
    prepare: ownStreams,
  },
  {
    name: "session-tabs",
    about: "five tabs of one user load each screen in turn, one each 2 s",
    pattern: { kind: "bursts", size: TABS * (1 + ASKED.length), ms: 2_000 },
    prepare: always(async (bench) => {
      const user = await newUser(bench);
      const [piece] = await insertOrdinary(bench, user);
      const [plan] = await insertTitles(bench, user, 10);
      const tab = (screen: string) => [screen, ...ASKED].map((path) => readOf(user, path));
      return [...SCREENS, `/content/${piece}`, `/projects/${plan?.projectId}`].flatMap((screen) =>
        Array.from({ length: TABS }, () => tab(screen)).flat(),
      );
    }),
  },
  {
    name: "forged-sessions",
    about: "50 connections of a stranger, each call with another forged session: GET /api/projects",
    pattern: { kind: "loop", connections: 50 },
    prepare: always(() =>
      Array.from({ length: FORGED_SESSIONS }, () => ({
        method: "GET",
        path: "/api/projects",
        cookie: `session=${randomBytes(32).toString("base64url")}`,
      })),
    ),
  },
];

function readOf({ cookie }: User, path: string): Call {
  return { method: "GET", path, cookie };
}

async function largeSaves(bench: Bench): Promise<Call[]> {
  const user = await newUser(bench);
  const pieces = await insertOrdinary(bench, user);
  return pieces.slice(0, SAVES).map((id) => ({
    method: "PATCH",
    path: `/api/content/${id}`,
    cookie: user.cookie,
    body: {},
    fill: SAVED_CHARACTERS,
  }));
}

async function ownStreams(bench: Bench): Promise<Prepared> {
  const user = await newUser(bench, { latencyMs: 9_000 });
  const pieces = await insertOrdinary(bench, user);
  const body = { selection: "Fill the tray, water it and wait.", action: "longer" };
  // The calls are not marked as streams: the next one begins when the whole answer is there.
  const headers = { accept: "text/event-stream" };
  const calls = pieces
    .slice(1, 5)
    .map((id) => ({ method: "POST", path: `/api/content/${id}/rewrite`, cookie: user.cookie, headers, body }));
  const watched = [regular(OWN_SAVES, 500, savesOf(pieces[0], user.cookie))];
  return async () => ({ calls, watched });
}
