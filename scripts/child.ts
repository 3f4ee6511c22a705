import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import path from "node:path";
import type { Writable } from "node:stream";
import { isAlive, pause, send, waitForExit } from "@/scripts/processes";

export type Exit = { code: number; lastLines: string };

export type Child = {
  pid: number;
  /** Resolves when the process has exited, by itself or through stop(). */
  ended: Promise<Exit>;
  /** Sends SIGTERM to the process group, and SIGKILL after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
};

export type ChildOptions = {
  env: NodeJS.ProcessEnv;
  cwd?: string;
  onLine?: (line: string) => void;
  /** How many lines of output `lastLines` keeps. */
  keepLines?: number;
  /** Time to exit after SIGTERM; 4 s by default. */
  graceMs?: number;
  /** Opens its stdin as a pipe: it closes, and the child exits, when this process dies. */
  tied?: boolean;
  /** The account it runs as, if this process may change it. */
  uid?: number;
  gid?: number;
  /** A pipe the child keeps open for as long as it lives. */
  keepsOpen?: Writable | undefined;
};

const running = new Set<Child>();

/** Starts a program in a process group of its own and passes its output to `onLine`. */
export function startChild(command: string[], options: ChildOptions): Child {
  const [program = process.execPath, ...args] = command;
  // In its own group, Ctrl+C reaches only our process, which then stops its children in order.
  const child = spawn(program, args, {
    cwd: options.cwd,
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
    env: options.env,
    stdio: [options.tied ? "pipe" : "ignore", "pipe", "pipe", ...(options.keepsOpen ? [options.keepsOpen] : [])],
    detached: process.platform !== "win32",
  } satisfies SpawnOptions);
  const lines: string[] = [];
  const kept = options.keepLines ?? 40;
  for (const stream of [child.stdout, child.stderr]) {
    eachLine(stream, (line) => {
      lines.push(line);
      if (lines.length > kept) lines.shift();
      options.onLine?.(line);
    });
  }
  const done = new Promise<Exit>((resolve) => {
    child.once("error", (error) => resolve({ code: 127, lastLines: String(error) }));
    child.once("close", (code) => resolve({ code: code ?? 1, lastLines: lines.join("\n") }));
  });
  const defaultGraceMs = options.graceMs ?? 4_000;
  const started = { pid: child.pid ?? 0, ended: done, stop: (graceMs = defaultGraceMs) => stop(child, done, graceMs) };
  running.add(started);
  done.then(() => running.delete(started));
  return started;
}

/** Stops every child still running. */
export async function stopChildren(graceMs?: number): Promise<void> {
  await Promise.all([...running].map((child) => child.stop(graceMs)));
}

export function runChild(command: string[], options: ChildOptions): Promise<Exit> {
  return startChild(command, options).ended;
}

/** The command for a program from node_modules. */
export function packageCommand(file: string, ...args: string[]): string[] {
  return [process.execPath, path.resolve("node_modules", file), ...args];
}

/** Why a command failed, in one line: npm's reason, or the last line it printed. */
export function reasonOf(ran: Exit): string {
  const lines = ran.lastLines.split("\n").filter((line) => line.trim());
  const line = lines.find((each) => each.includes("reason:")) ?? lines.at(-1) ?? `exit code ${ran.code}`;
  return line.replace(/^npm error (network )?/, "");
}

/** Kills a process group left by an earlier run, and waits until its ports are free. */
export async function killProcessGroup(leader: number): Promise<void> {
  const group = process.platform === "win32" ? leader : -leader;
  send(group, "SIGKILL");
  await waitForExit(leader, 5_000);
  for (let waited = 0; isAlive(group) && waited < 2_000; waited += 50) await pause(50);
}

async function stop(child: ChildProcess, done: Promise<Exit>, graceMs: number): Promise<void> {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid, "SIGTERM");
  const timer = setTimeout(() => child.pid && signalGroup(child.pid, "SIGKILL"), graceMs);
  await done;
  clearTimeout(timer);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  send(process.platform === "win32" ? pid : -pid, signal);
}

function eachLine(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = "";
  stream?.setEncoding("utf8");
  stream?.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  stream?.on("end", () => rest && onLine(rest));
}
