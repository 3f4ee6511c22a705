import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import path from "node:path";
import type { Writable } from "node:stream";
import { ended, isAlive, pause, send } from "@/scripts/processes";

export type Ended = { code: number; lastLines: string };

export type Child = {
  pid: number;
  /** Settles when it has ended, by itself or by stop(). */
  ended: Promise<Ended>;
  /** Asks it and its own children to end, and makes them after `graceMs` (its own unless told). */
  stop(graceMs?: number): Promise<void>;
};

export type ChildOptions = {
  env: NodeJS.ProcessEnv;
  cwd?: string;
  onLine?: (line: string) => void;
  /** How much of its output `lastLines` holds. */
  keepLines?: number;
  /** How long it may take to end when it is asked to; 4 s unless told. */
  graceMs?: number;
  /** Gives it a standard input that we never write to: it ends when this process does. */
  tied?: boolean;
  /** A pipe that it keeps open for as long as it lives. */
  holds?: Writable | undefined;
};

const running = new Set<Child>();

/** Starts a program whose output goes to `onLine`, one call a line, as a process group of its own. */
export function startChild(command: string[], options: ChildOptions): Child {
  const [program = process.execPath, ...args] = command;
  // A group of its own: Ctrl+C reaches our process alone, which then ends its children in the right order.
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: [options.tied ? "pipe" : "ignore", "pipe", "pipe", ...(options.holds ? [options.holds] : [])],
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
  const done = new Promise<Ended>((resolve) => {
    child.once("error", (error) => resolve({ code: 127, lastLines: String(error) }));
    child.once("close", (code) => resolve({ code: code ?? 1, lastLines: lines.join("\n") }));
  });
  const patience = options.graceMs ?? 4_000;
  const started = { pid: child.pid ?? 0, ended: done, stop: (graceMs = patience) => stop(child, done, graceMs) };
  running.add(started);
  done.then(() => running.delete(started));
  return started;
}

/** Ends whatever this process started and that still runs; each has its own time for it unless told. */
export async function stopChildren(graceMs?: number): Promise<void> {
  await Promise.all([...running].map((child) => child.stop(graceMs)));
}

/** Runs a program to its end. */
export function runChild(command: string[], options: ChildOptions): Promise<Ended> {
  return startChild(command, options).ended;
}

/** The command line of a program that npm installed here, run by this Node. */
export function installed(file: string, ...args: string[]): string[] {
  return [process.execPath, path.resolve("node_modules", file), ...args];
}

/** Ends a whole process group that an earlier run left behind, and waits until its ports are free again. */
export async function endGroup(leader: number): Promise<void> {
  const group = process.platform === "win32" ? leader : -leader;
  send(group, "SIGKILL");
  await ended(leader, 5_000);
  for (let waited = 0; isAlive(group) && waited < 2_000; waited += 50) await pause(50);
}

async function stop(child: ChildProcess, done: Promise<Ended>, graceMs: number): Promise<void> {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid, "SIGTERM");
  const timer = setTimeout(() => child.pid && signalGroup(child.pid, "SIGKILL"), graceMs);
  await done;
  clearTimeout(timer);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  send(process.platform === "win32" ? pid : -pid, signal);
}

function eachLine(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = "";
  stream?.setEncoding("utf8");
  stream?.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
  stream?.on("end", () => rest && take(rest));
}
