import type { SafeResponse } from "@/lib/net/safe-fetch";
import { UnreachableError, type UnreachableReason } from "@/lib/net/unreachable";
import { createPace, type Turn } from "@/lib/wordpress/pace";

export type Outcome = { status: number; headers?: Record<string, string> } | UnreachableError;

export const OK: Outcome = { status: 200 };
export const unreachable = (reason: UnreachableReason, sent = true) =>
  new UnreachableError(reason, "x.example", { sent });
export const READ: Turn = { userId: "one", kind: "read", writes: 1 };

/** A pace whose time stands still until a test lets it pass, and whose requests wait for an answer. */
export function pacing(most = 8) {
  let now = 1_000_000;
  const sleepers: { until: number; wake: () => void }[] = [];
  const clock = {
    now: () => now,
    sleep: (milliseconds: number) => new Promise<void>((wake) => sleepers.push({ until: now + milliseconds, wake })),
  };
  const pace = createPace({ most, clock });
  const sent: { turn: Turn; settle: (outcome: Outcome) => void }[] = [];
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    pace,
    running: () => sent.length,
    /** Whose requests are under way, and of which kind. */
    sent: () => sent.map(({ turn }) => turn.userId),
    kinds: () => sent.map(({ turn }) => turn.kind),
    /** Resolves with what was thrown until then. */
    ask: async (count = 1, turn = READ) => {
      const thrown: unknown[] = [];
      for (let n = 0; n < count; n++) {
        const send = () =>
          new Promise<SafeResponse>((resolve, reject) => {
            sent.push({
              turn,
              settle: (outcome) => {
                if (outcome instanceof UnreachableError) return reject(outcome);
                resolve({ status: outcome.status, headers: new Headers(outcome.headers), url: "", text: "" });
              },
            });
          });
        pace.run(turn, send).catch((error: unknown) => thrown.push(error));
      }
      await settle();
      return thrown;
    },
    /** The oldest requests are answered after a while. */
    answer: async (outcome: Outcome = OK, { count = 1, after = 0 } = {}) => {
      now += after;
      for (const each of sent.splice(0, count)) each.settle(outcome);
      await settle();
    },
    pass: async (milliseconds: number) => {
      now += milliseconds;
      for (const each of sleepers.filter(({ until }) => until <= now)) {
        sleepers.splice(sleepers.indexOf(each), 1);
        each.wake();
      }
      await settle();
    },
  };
}
