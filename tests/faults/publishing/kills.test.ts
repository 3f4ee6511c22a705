import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expireLeases } from "@/scripts/leases";
import { delay, type Fault } from "@/tests/faults/faults";
import { settle } from "@/tests/faults/publishing/support/settle";
import { type FaultSite, startSite } from "@/tests/faults/publishing/support/site";
import {
  type AllOutcome,
  census,
  type FaultyUser,
  newFaultyUser,
  onePostEach,
  termsNamed,
} from "@/tests/faults/publishing/support/user";
import { isWrite } from "@/tests/faults/publishing/support/wordpress-faults";
import { type AppProcess, startAppProcess } from "@/tests/support/app-process";
import { databaseUrl } from "@/tests/support/db";

// The app is killed at random moments of publish-all, in one project after the other; what it sent is done on the site.

const KILLS = Number(process.env.FAULTS_KILLS ?? 5);
const PIECES = 200;
/** The writes that the pieces need: a category, and two for each batch. */
const WRITES = 17;
const MAX_ROUNDS = 5;
/** An answer takes as long as this at most, so that a kill finds requests under way. */
const LATENCY_MS = 120;

/** Each project has its own, since one with thousands of posts would be slow. */
let site: FaultSite;
afterEach(() => site.close());

/** How long publish-all takes when nothing disturbs it. */
let duration = 0;
/** Public posts of the project at each kill, and the writes that were under way. */
const kills: { at: number; underWay: number }[] = [];

it(
  `makes no second post when the app is killed ${KILLS} times in the middle of publish-all`,
  async () => {
    let projects = 0;
    await publishedProject(projects);
    while (kills.length < KILLS) await publishedProject(++projects);
    const list = kills.map(({ at, underWay }) => `${at} (${underWay})`).join(", ");
    process.stdout.write(
      `${kills.length} kills in ${projects} publish-alls of ${PIECES} pieces, each ${Math.round(duration)} ms; public ` +
        `posts at each, and writes under way: ${list}\n`,
    );
  },
  120_000 + KILLS * 60_000,
);

/** Publishes a project of its own, run after run. The first project is not disturbed, to see how long it takes. */
async function publishedProject(number: number): Promise<void> {
  if (number > 0) await site.close();
  site = await startSite({ isFixed: true });
  const topic = `Killed ${number}`;
  const user = await newFaultyUser(site, { pieces: PIECES, topic });
  while (!(await runOfApp(user, number > 0 && kills.length < KILLS)));
  await user.atRest();
  await settle();
  expect({ ...(await census(user, site)), terms: await termsNamed(site, topic) }).toEqual({
    ...onePostEach(PIECES),
    terms: 1,
  });
}

/** True if publish-all came to its end. */
async function runOfApp(user: FaultyUser, isToBeKilled: boolean): Promise<boolean> {
  process.env.BOOT_ID = randomUUID();
  const app = await startAppProcess();
  const traffic = newTraffic();
  const killing = isToBeKilled ? killAtRandom(app, traffic) : { done: new Promise<never>(() => undefined) };
  const isEnded = await Promise.race([killing.done.then(() => false), publishAll(app, user)]);
  if (!isEnded) kills.push({ at: (await census(user, site)).public, underWay: traffic.atKill });
  site.proxy.rule = () => undefined;
  await app.kill();
  await site.proxy.settled();
  // What the launcher does when a process has ended.
  await expireLeases(databaseUrl(), process.env.BOOT_ID, false);
  return isEnded;
}

async function publishAll(app: AppProcess, user: FaultyUser): Promise<boolean> {
  const url = `/api/projects/${user.projectId}/publish-all-to-wordpress`;
  const caller = app.callerOf(user);
  const began = performance.now();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const answer = await caller.post<AllOutcome["body"]>(url).catch(() => undefined);
    // The app was killed.
    if (!answer) return new Promise(() => undefined);
    duration ||= performance.now() - began;
    if (answer.body.results.every(({ success }) => success)) return true;
  }
  throw new Error(`publish-all did not come to an end in ${MAX_ROUNDS} rounds`);
}

type Traffic = { writes: number; underWay: number; atKill: number; onWrite?: (number: number) => Fault | undefined };

/** A site that takes its time, and what is under way to it. */
function newTraffic(): Traffic {
  const traffic: Traffic = { writes: 0, underWay: 0, atKill: 0 };
  site.proxy.rule = (request) => {
    const slow = delay({ before: randomInt(LATENCY_MS / 2), after: randomInt(LATENCY_MS / 2) });
    if (!isWrite(request)) return slow;
    const fault = traffic.onWrite?.(++traffic.writes) ?? slow;
    return async (exchange) => {
      traffic.underWay++;
      await fault(exchange).finally(() => traffic.underWay--);
    };
  };
  return traffic;
}

/** Kills the app at a random time, or as often during a random write of which it never hears. */
function killAtRandom(app: AppProcess, traffic: Traffic): { done: Promise<void> } {
  const kill = async () => {
    traffic.atKill = traffic.underWay;
    await app.kill();
  };
  if (randomInt(2) === 0) return { done: wait(randomInt(Math.ceil(duration))).then(kill) };
  const at = 1 + randomInt(WRITES);
  return {
    done: new Promise((resolve) => {
      traffic.onWrite = (number) =>
        number === at
          ? async ({ forward, drop }) => {
              await kill();
              await forward();
              drop();
              resolve();
            }
          : undefined;
    }),
  };
}
