import type { Bench } from "@/tests/bench/benchmark";
import { insertFew, insertOrdinary } from "@/tests/bench/fairness/rows";
import type { Call, Traffic } from "@/tests/bench/fairness/traffic";
import { newUser } from "@/tests/bench/fairness/users";

const SEARCHED = ["frost", "shallow%20root", "nothing%20like%20it", "harvest"];
/** Users who stream in turn: each may make 30 AI calls a minute, and a stall may hold back those of a minute and more. */
const STREAMING_USERS = 10;
/** About as long as a paragraph. */
const SELECTION = "Fill the tray, water it and wait. Keep it warm and light. Sow again after two weeks. ".repeat(4);

/**
 * The other user, who lists projects, searches, saves and streams during an attack. All of it stays within the limits of
 * production, even if a stall holds back the calls of a minute.
 */
export async function newOthers(bench: Bench): Promise<Traffic[]> {
  const user = await newUser(bench);
  const pieces = await insertOrdinary(bench, user);
  const read = (path: string): Call => ({ method: "GET", path, cookie: user.cookie });
  const [piece] = pieces;
  const streams: Call[] = [];
  for (let n = 0; n < STREAMING_USERS; n++) {
    const streaming = await newUser(bench);
    const [own] = await insertFew(bench, streaming);
    const rewrite = { selection: SELECTION, action: "shorter" };
    const path = `/api/content/${own}/rewrite`;
    streams.push({ method: "POST", path, cookie: streaming.cookie, body: rewrite, isStream: true });
  }
  return [
    regular("lists projects", 200, [read("/api/projects")]),
    regular(
      "searches",
      1_000,
      SEARCHED.map((word) => read(`/api/content?limit=50&search=${word}`)),
    ),
    regular("saves", 1_000, savesOf(piece, user.cookie)),
    regular("streams", 1_000, streams),
  ];
}

/** Saves two texts of a piece by turns, so that each is a change. */
export function savesOf(piece: string | undefined, cookie: string): Call[] {
  return [1, 2].map((n) => ({
    method: "PATCH",
    path: `/api/content/${piece}`,
    cookie,
    body: {},
    fill: 6_000 + n,
  }));
}

/** Sends the calls in turn, one every `ms`. */
export function regular(name: string, ms: number, calls: Call[]): Traffic {
  return { name, pattern: { kind: "every", ms }, calls };
}
