import { type ChildProcess, spawn } from "node:child_process";
import type { VercelOutput } from "@/tests/support/vercel/output";

export type Functions = {
  /** The port on which a function listens; it is started at its first request. */
  portOf(name: string): Promise<number>;
  /** How each was started: `index: 26 MB, 300 ms`. */
  started: string[];
  /** What they printed. */
  printed(): string;
  close(): void;
};

/** Runs the functions of a build in processes of their own, with nothing but this environment. */
export function runFunctions(output: VercelOutput, environment: Record<string, string>): Functions {
  const running = new Map<string, Promise<number>>();
  const children: ChildProcess[] = [];
  const started: string[] = [];
  let printed = "";

  function start(name: string): Promise<number> {
    const { launcher, bytes } = output.unpack(name);
    const began = performance.now();
    const child = spawn(process.execPath, ["tests/support/vercel/function-main.cjs", launcher], {
      env: { PATH: process.env.PATH, NODE_ENV: "production", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    return new Promise((resolve, reject) => {
      const read = (chunk: Buffer) => {
        printed += chunk;
        const [, port] = /^port (\d+)$/m.exec(String(chunk)) ?? [];
        if (!port) return;
        started.push(`${name}: ${Math.round(bytes / 1e6)} MB, ${Math.round(performance.now() - began)} ms`);
        resolve(Number(port));
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", (code) => reject(new Error(`The function ${name} ended with ${code}:\n${printed}`)));
    });
  }

  return {
    portOf(name) {
      const port = running.get(name) ?? start(name);
      running.set(name, port);
      return port;
    },
    started,
    printed: () => printed,
    close: () => {
      for (const child of children) child.kill("SIGKILL");
    },
  };
}
