import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Caller, createCaller } from "@/tests/support/app";

/** Server actions are called by name below this path: `{ input }` in, the result out. */
export const ACTIONS = "/actions/";

export type AppProcess = {
  url: string;
  pid: number;
  /** The same session, over HTTP. */
  callerOf(user: { caller: Caller }): Caller;
  hasEnded(): boolean;
  /** As if the machine had lost its power. */
  kill(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The app's route handlers and server actions behind an HTTP server in a separate process, with this worker's database
 * and environment, or a `different` one, so that the test's own work does not slow it down.
 */
export async function startAppProcess(different: Record<string, string> = {}): Promise<AppProcess> {
  const command = ["--conditions=react-server", "--import", "tsx", "tests/support/app-process-main.ts"];
  const env = { ...process.env, ...different, TSX_TSCONFIG_PATH: "tests/support/tsconfig.json" };
  const child = spawn(process.execPath, command, { env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const { value: port } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (!/^\d+$/.test(port ?? "")) throw new Error("The app's process did not start.");
  const url = `http://127.0.0.1:${port}`;

  async function answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === "GET" ? {} : { body: await request.arrayBuffer() };
    return fetch(`${url}${pathname}${search}`, { method, headers, ...body });
  }
  return {
    url,
    pid: child.pid ?? 0,
    callerOf: ({ caller }) => createCaller(caller.cookie(), undefined, answer),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
