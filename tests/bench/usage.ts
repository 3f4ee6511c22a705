import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** CPU seconds since the processes started, and resident bytes. */
export type Usage = { cpu: number; resident: number };

const TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
const PAGE = Number(execFileSync("getconf", ["PAGESIZE"], { encoding: "utf8" }));

/** The usage of a process with those below it. Linux only. */
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

/** Bytes that a process holds at most until `end`. The kernel keeps the figure, so that looking costs the process nothing. */
export function watchResident(pid: number): { end(): number } {
  // 5 resets the figure.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return {
    end() {
      const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      return 1_024 * Number(kilobytes);
    },
  };
}

function processes() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The fields come after the command, which may hold spaces and brackets.
        const stat = readFileSync(`/proc/${name}/stat`, "utf8")
          .replace(/^.*\) /, "")
          .split(" ");
        const at = (field: number) => Number(stat[field - 3]);
        return [
          {
            pid: Number(name),
            parent: at(4),
            // The sum of its own time and that of children that have ended.
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
