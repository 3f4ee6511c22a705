import { type ChildProcess, spawn } from "node:child_process";

export type StackProcess<Ready> = Ready & {
  /** Kills all of it at once, as a power cut would. */
  kill(): Promise<void>;
};

/**
 * Runs one of the `run-….ts` scripts of this folder in a process group of its own, and resolves with what it prints when it is
 * ready. Rejects with all that was printed if it ends before.
 */
export function startStackProcess<Ready>(
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<StackProcess<Ready>> {
  const command = ["--conditions=react-server", "--import", "tsx", `tests/support/${script}`, ...args];
  const child = spawn(process.execPath, command, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let printed = "";
    const read = (chunk: Buffer) => {
      printed += chunk;
      const ready = /^Stack ready (.+)$/m.exec(printed);
      if (ready?.[1]) resolve({ ...(JSON.parse(ready[1]) as Ready), kill: () => kill(child) });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(`It did not start:\n${printed}`)));
  });
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.removeAllListeners("exit");
    child.once("exit", () => resolve());
    process.kill(-(child.pid ?? 0), "SIGKILL");
  });
}
