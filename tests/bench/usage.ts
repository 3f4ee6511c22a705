import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** CPU seconds since they started, and resident bytes. */
export type Usage = { cpu: number; resident: number };

const TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
const PAGE = Number(execFileSync("getconf", ["PAGESIZE"], { encoding: "utf8" }));

/** A process with those below it. Linux only. */
export function usageOf(pid: number): Usage {
  const all = processes();
  const tree = new Set([pid]);
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const each of all) if (tree.has(each.parent)) tree.add(each.pid);
  }
  const own = all.filter((each) => tree.has(each.pid));
  return { cpu: sum(own.map(({ cpu }) => cpu)), resident: sum(own.map(({ resident }) => resident)) };
}

/** Seconds that the processors of this machine were idle, since it started. */
export function idleSeconds(): number {
  const [, , , , idle = "0", waiting = "0"] = readFileSync("/proc/stat", "utf8").split(/\s+/);
  return (Number(idle) + Number(waiting)) / TICKS;
}

/** Looks ten times a second, since memory is gone again when the work is done. */
export function watchResident(pid: number): { end(): number } {
  let most = 0;
  const look = () => {
    most = Math.max(most, usageOf(pid).resident);
  };
  const timer = setInterval(look, 100);
  return {
    end() {
      look();
      clearInterval(timer);
      return most;
    },
  };
}

function processes() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // After the command, which may hold spaces and brackets.
        const stat = readFileSync(`/proc/${name}/stat`, "utf8")
          .replace(/^.*\) /, "")
          .split(" ");
        const at = (field: number) => Number(stat[field - 3]);
        return [
          {
            pid: Number(name),
            parent: at(4),
            // Its own and that of children that have ended.
            cpu: (at(14) + at(15) + at(16) + at(17)) / TICKS,
            resident: at(24) * PAGE,
          },
        ];
      } catch {
        return [];
      }
    });
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
