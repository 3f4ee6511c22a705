import { existsSync, readdirSync, readFileSync } from "node:fs";
import { DRAIN_MS } from "@/scripts/app";

const FOLDER = "scripts/systemd";
const units = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(`${FOLDER}/${name}`, "utf8") }));
const textOf = (name: string) => units.find((unit) => unit.name === name)?.text ?? "";

describe("the systemd units", () => {
  it("run commands that npm has too", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const commands = units.flatMap(({ text }) => [...text.matchAll(/node (scripts\/\S+) (\S+)/g)]);
    expect(commands).toHaveLength(2);
    for (const [, script, command] of commands) {
      expect(existsSync(String(script))).toBe(true);
      expect(scripts[String(command)]).toBe(`node ${script} ${command}`);
    }
  });

  it("wait longer for the app's end than it takes to finish its requests", () => {
    const seconds = Number(/TimeoutStopSec=(\d+)/.exec(textOf("content-planner.service"))?.[1]);
    expect(seconds * 1000).toBeGreaterThan(DRAIN_MS + 10_000);
  });

  it("give the app no privileges and two places to write to", () => {
    const text = textOf("content-planner.service");
    expect(text).toMatch(/^User=content-planner$/m);
    expect(text).toMatch(/^ProtectSystem=strict$/m);
    expect(text).toMatch(/^NoNewPrivileges=yes$/m);
    expect(text).toMatch(/^ReadWritePaths=\S+\/\.data \S+\/\.next$/m);
  });
});
