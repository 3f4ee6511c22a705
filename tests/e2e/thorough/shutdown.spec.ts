import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "@/scripts/ports";
import { removePostgres } from "@/scripts/postgres";
import { isAlive } from "@/scripts/processes";

type Ready = {
  url: string;
  appPid: number;
  databaseUrl: string;
  account: { username: string; password: string };
  samples: { ai: { url: string }; wordpress: { url: string } };
};
type Running = Ready & {
  process: ChildProcess;
  exited: Promise<{ code: number | null; afterMs: number }>;
  printed(): string;
};

/** How long the sample AI provider takes, so that a call is in flight when the signal comes. */
const AI_MS = 3_000;

/** Starts the stack as `npm run demo` does, in a process of its own. */
function start(folder: string, port: number): Promise<Running> {
  const script = ["tests/support/run-stack.ts", folder, String(port), String(AI_MS)];
  const child = spawn(process.execPath, ["--conditions=react-server", "--import", "tsx", ...script], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  let signalledAt = 0;
  const exited = new Promise<{ code: number | null; afterMs: number }>((resolve) => {
    child.once("exit", (code) => resolve({ code, afterMs: Date.now() - signalledAt }));
  });
  const kill = child.kill.bind(child);
  child.kill = (signal) => {
    signalledAt ||= Date.now();
    return kill(signal);
  };
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      const ready = /^Stack ready (.+)$/m.exec(printed);
      if (ready?.[1]) resolve({ process: child, exited, printed: () => printed, ...(JSON.parse(ready[1]) as Ready) });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    exited.then(() => reject(new Error(`The stack did not start:\n${printed}`)));
  });
}

type Answer = { status: number; connection: string | undefined; body: Record<string, unknown> };

/** A request whose body can be sent in two halves. */
function prepareRequest(url: string, method: string, head: { cookie?: string; agent?: Agent }, body: unknown) {
  const text = JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": String(text.length) };
  const sent = request(url, {
    method,
    ...(head.agent ? { agent: head.agent } : {}),
    headers: { ...headers, ...(head.cookie ? { cookie: head.cookie } : {}) },
  });
  const answer = new Promise<Answer & { cookie: string }>((resolve, reject) => {
    sent.once("error", reject);
    sent.once("response", async (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({
        status: response.statusCode ?? 0,
        connection: response.headers.connection,
        body: JSON.parse(Buffer.concat(chunks).toString() || "{}"),
        cookie: response.headers["set-cookie"]?.[0]?.split(";")[0] ?? "",
      });
    });
  });
  // Without this, a cut connection would be an unhandled rejection.
  answer.catch(() => undefined);
  return {
    answer,
    begin: () => sent.write(text.slice(0, 5)),
    finish: () => sent.end(text.slice(5)),
    all: () => {
      sent.end(text);
      return answer;
    },
  };
}

/** Whether a server listens at this address. */
function listens(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

async function withStack(work: (running: Running, cookie: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "shutdown-"));
  const running = await start(folder, await freePort());
  try {
    const login = await prepareRequest(`${running.url}/api/login`, "POST", {}, running.account).all();
    expect(login.status).toBe(200);
    await work(running, login.cookie);
  } finally {
    running.process.kill("SIGKILL");
    await removePostgres(path.join(folder, "postgres"));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function expectNothingLeft({ url, appPid, databaseUrl, samples }: Running): Promise<void> {
  expect(isAlive(appPid)).toBe(false);
  for (const address of [url, databaseUrl.replace("postgresql:", "http:"), samples.ai.url, samples.wordpress.url]) {
    expect([address, await listens(address)]).toEqual([address, false]);
  }
}

test("finishes requests in flight on SIGTERM, accepts no new ones and leaves nothing running", async () => {
  test.setTimeout(120_000);
  await withStack(async (running, cookie) => {
    const { url } = running;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const project = await prepareRequest(`${url}/api/projects`, "POST", { cookie }, { title: "Before the end" }).all();
    const topic = { name: "Last words", description: "What is said at the end." };
    const { body } = await prepareRequest(
      `${url}/api/projects/${project.body.id}/topics`,
      "POST",
      { cookie },
      topic,
    ).all();
    // One connection is open and idle, one waits for the AI, one still sends its body.
    await prepareRequest(`${url}/api/projects`, "POST", { cookie, agent }, { title: "Over a kept connection" }).all();
    const writing = prepareRequest(`${url}/api/topics/${body.id}/suggest-keywords`, "POST", { cookie }, {});
    writing.all();
    const dripping = prepareRequest(`${url}/api/projects`, "POST", { cookie }, { title: "Sent slowly" });
    dripping.begin();
    // One follows the queues: it would last for minutes.
    const followed = await fetch(`${url}/api/queue/events`, { headers: { cookie, accept: "text/event-stream" } });
    expect(followed.status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));

    running.process.kill("SIGTERM");
    await expect.poll(() => listens(url), { timeout: 2_000, intervals: [50] }).toBe(false);
    expect(isAlive(running.appPid)).toBe(true);
    expect(await followed.text()).toMatch(/^event: changes\n/);
    dripping.finish();
    expect(await dripping.answer).toMatchObject({ status: 201, connection: "close", body: { title: "Sent slowly" } });
    expect(await writing.answer).toMatchObject({ status: 200, connection: "close" });

    const { code, afterMs } = await running.exited;
    expect(code).toBe(0);
    expect(afterMs).toBeLessThan(AI_MS + 7_000);
    expect(running.printed()).toMatch(/^Stopping …$/m);
    expect(running.printed()).not.toMatch(/A cleanup failed|Unhandled|at .+\(.+:\d+:\d+\)/);
    await expectNothingLeft(running);
    agent.destroy();
  });
});

test("stops at once on a second Ctrl+C, even with a request that never ends", async () => {
  test.setTimeout(120_000);
  await withStack(async (running, cookie) => {
    const endless = prepareRequest(`${running.url}/api/projects`, "POST", { cookie }, { title: "Never sent" });
    endless.begin();
    await new Promise((resolve) => setTimeout(resolve, 500));
    running.process.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(isAlive(running.appPid)).toBe(true);
    running.process.kill("SIGINT");
    await expect(endless.answer).rejects.toThrow();
    const { code, afterMs } = await running.exited;
    expect([code, afterMs < 8_000]).toEqual([0, true]);
    await expectNothingLeft(running);
  });
});
