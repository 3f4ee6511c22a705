import { randomBytes } from "node:crypto";
import type { Bench } from "@/tests/bench/benchmark";
import type { Attack, Prepared } from "@/tests/bench/fairness/attack";
import { startQueue, waitForQueue } from "@/tests/bench/fairness/queue";
import type { Call } from "@/tests/bench/fairness/traffic";
import { newUser } from "@/tests/bench/fairness/users";

const LARGE_BODY = 5_000_000;
const QUEUED = 500;

/** Strangers at the door that the job engine calls through. */
export const engineDoorAttacks: Attack[] = [
  {
    name: "engine-bodies",
    about: "10 unsigned bodies of 5 MB a second, with a signature of the right form: POST /api/inngest",
    pattern: { kind: "every", ms: 100 },
    prepare: async () => async () => ({ calls: [{ ...unsigned(), body: {}, fill: LARGE_BODY }] }),
  },
  {
    name: "engine-malformed",
    about: "the same with a signature of a wrong form",
    pattern: { kind: "every", ms: 100 },
    prepare: async () => async () => ({
      calls: [{ ...unsigned(), headers: { "x-inngest-signature": "nothing" }, body: {}, fill: LARGE_BODY }],
    }),
  },
  {
    name: "engine-drip",
    about: "50 strangers send bodies byte by byte beside a queue of 500 outlines: POST /api/inngest",
    pattern: { kind: "drip", sockets: 50, ms: 500 },
    prepare: besideQueue,
    growth: { of: "queue of 500, s", limit: { must: 1.1, aim: 1.05 } },
  },
];

async function besideQueue(bench: Bench): Promise<Prepared> {
  return async () => {
    const user = await newUser(bench);
    return {
      calls: [unsigned()],
      async beside() {
        const began = performance.now();
        await waitForQueue(bench, await startQueue(bench, user, QUEUED));
        return { "queue of 500, s": (performance.now() - began) / 1_000 };
      },
    };
  };
}

/** A call whose signature has the right form and the present time, but no key has made it. */
function unsigned(): Call {
  const signature = `t=${Math.floor(Date.now() / 1_000)}&s=${randomBytes(32).toString("hex")}`;
  return {
    method: "POST",
    path: "/api/inngest?fnId=content-planner-generate-outlines&stepId=step",
    headers: { "x-inngest-signature": signature },
  };
}
