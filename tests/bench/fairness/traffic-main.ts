import { setTimeout as wait } from "node:timers/promises";
import { createSender, type Sender } from "@/tests/bench/fairness/sender";
import { dripBodies, openUnread } from "@/tests/bench/fairness/sockets";
import type { Answers, Traffic } from "@/tests/bench/fairness/traffic";

/** A connection asks again this much later after a refusal: bounded, and still faster than any user. */
const REFUSED_MS = 100;

type Running = { name: string; end(): Promise<Answers> };

let running: Running[] = [];

process.on("disconnect", () => process.exit());
process.on("message", async (message: "end" | { url: string; traffic: Traffic[] }) => {
  if (message !== "end") {
    running = message.traffic.map((traffic) => run(message.url, traffic));
    return;
  }
  const ended = await Promise.all(running.map(async ({ name, end }) => [name, await end()] as const));
  process.send?.(Object.fromEntries(ended));
});

function run(url: string, traffic: Traffic): Running {
  const { name, pattern, calls } = traffic;
  const [first] = calls;
  if (!first) throw new Error(`There is nothing to send: ${name}`);
  if (pattern.kind === "unread") return { name, end: openUnread(url, first, pattern.sockets) };
  if (pattern.kind === "drip") return { name, end: dripBodies(url, first, pattern) };
  const sender = createSender(url, calls);
  const stop = send(sender, traffic);
  return {
    name,
    end() {
      stop();
      return sender.end();
    },
  };
}

/** Sends as the pattern says; returns what stops it. A loop stops with its sender. */
function send(sender: Sender, { pattern, calls }: Traffic): () => void {
  if (pattern.kind === "loop") {
    for (let n = 0; n < pattern.connections; n++) loop(sender);
    return () => undefined;
  }
  const size = pattern.kind === "once" ? calls.length : pattern.kind === "bursts" ? pattern.size : 1;
  const fire = () => {
    for (let n = 0; n < size; n++) sender.next();
  };
  fire();
  const timer = "ms" in pattern ? setInterval(fire, pattern.ms) : undefined;
  return () => clearInterval(timer);
}

async function loop(sender: Sender): Promise<void> {
  for (;;) {
    const status = await sender.next();
    if (status === undefined) return;
    if (status === 0 || status === 429 || status === 503) await wait(REFUSED_MS);
  }
}
