import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { createCaller } from "@/tests/support/app";

/** One call; `address` is the client's, `cookie` a session's. */
export type Call = { method: string; url: string; body?: unknown; address?: string; cookie?: string };
export type Outcome = { status: number; type: string | null; error: string | null; retryAfter: string | null };

export type SecondProcess = { callAll(calls: Call[]): Promise<Outcome[]>; close(): Promise<void> };

/** Makes all calls at once, without a network. */
export function callAll(calls: Call[]): Promise<Outcome[]> {
  return Promise.all(
    calls.map(async ({ method, url, body, address, cookie }) => {
      const answer = await createCaller(cookie, address).call<{ type?: string; error?: string }>(method, url, body);
      return {
        status: answer.status,
        type: answer.body?.type ?? null,
        error: answer.body?.error ?? null,
        retryAfter: answer.headers.get("retry-after"),
      };
    }),
  );
}

/** The app's route handlers in a second process with the same database and environment. */
export async function startSecondProcess(): Promise<SecondProcess> {
  const command = ["--conditions=react-server", "--import", "tsx", "tests/support/second-process-main.ts"];
  // Passed explicitly: jest gives each worker a copy of the environment that spawn does not see.
  const env = { ...process.env, TSX_TSCONFIG_PATH: "tests/support/tsconfig.json" };
  const child = spawn(process.execPath, command, { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  if ((await lines.next()).value !== "ready") throw new Error("The second process did not start.");
  return {
    async callAll(calls) {
      child.stdin.write(`${JSON.stringify(calls)}\n`);
      const line = await lines.next();
      if (line.done) throw new Error("The second process ended.");
      return JSON.parse(line.value) as Outcome[];
    },
    close: () => ended(child),
  };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.stdin?.end();
  });
}
