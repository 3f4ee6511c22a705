import { spawn } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A response to one of the other users; times in milliseconds since the epoch. */
export type ProbeResult = { url: string; at: number; ms: number; status: number };

const ASKING = `
  const http = require("node:http");
  const { parentPort, workerData: { asked, everyMs } } = require("node:worker_threads");
  const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
  const now = () => performance.timeOrigin + performance.now();
  const answers = [];
  let open = 0;
  function ask({ url, headers }) {
    const at = now();
    open++;
    const end = (status) => { open--; answers.push({ url, at, ms: now() - at, status }); };
    http.get(url, { agent, headers }, (response) => response.resume().on("end", () => end(response.statusCode)))
      .on("error", () => end(0));
  }
  let turn = 0;
  const timer = setInterval(() => ask(asked[turn++ % asked.length]), everyMs);
  parentPort.once("message", () => {
    clearInterval(timer);
    const wait = setInterval(() => { if (open === 0) { clearInterval(wait); agent.destroy(); parentPort.postMessage(answers); } }, 5);
  });`;

/** A server in a separate process that responds at once: its latency is that of the busy machine alone. */
export async function startIdleServer(): Promise<{ url: string; close(): void }> {
  const code = `const server = require("node:http").createServer((_, answer) => answer.end()); server.keepAliveTimeout = 600_000; server.listen(0, "127.0.0.1", function () {
    console.log(this.address().port); process.stdin.resume().on("end", () => process.exit()); });`;
  const child = spawn(process.execPath, ["--eval", code], { stdio: ["pipe", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { url: `http://127.0.0.1:${String(port).trim()}/`, close: () => child.stdin.end() };
}

/**
 * Simulates the other users: requests the addresses in turn from a separate thread, without waiting for responses. A
 * stall of seconds therefore counts as often as users would have sent requests meanwhile.
 */
export function startProbe(asked: { url: string; headers?: Record<string, string> }[], everyMs = 30) {
  const thread = new Worker(ASKING, { eval: true, workerData: { asked, everyMs } });
  let stopped: Promise<ProbeResult[]> | undefined;
  async function stop(): Promise<ProbeResult[]> {
    thread.postMessage("stop");
    const [answers] = (await once(thread, "message")) as [ProbeResult[]];
    await thread.terminate();
    return answers;
  }
  /** All responses, once the last one is there. */
  return { stop: () => (stopped ??= stop()) };
}

/** The 99th percentile in milliseconds. */
export function p99(answers: ProbeResult[]): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}
