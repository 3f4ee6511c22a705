import { readFileSync } from "node:fs";
import { ENV_NAMES, PLATFORM_NAMES, readEnv, requireDeployable } from "@/lib/env";

const text = readFileSync("docs/environment.md", "utf8");
const ours = ENV_NAMES.filter((name) => !PLATFORM_NAMES.some((given) => given === name));

/** The names in the first column of the tables below a heading. */
function namesBelow(heading: string): string[] {
  const section = text.split(`## ${heading}`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap((row) =>
    [...String(row[1]).matchAll(/`(\w+)`/g)].map(([, name]) => String(name)),
  );
}

describe("docs/environment.md", () => {
  it("has a line for every variable that can be set, and for no other", () => {
    const named = [...text.matchAll(/^## (.+)$/gm)].flatMap(([, heading]) => namesBelow(String(heading)));
    expect([...named].sort()).toEqual([...ours].sort());
  });

  it("lists as required what a deployment does not start without", () => {
    const required = namesBelow("A deployment does not start without these");
    const values = Object.fromEntries(required.map((name) => [name, "set"]));
    expect(() => requireDeployable(readEnv({ ...values, VERCEL: "1", VERCEL_URL: "x.vercel.app" }))).not.toThrow();
    for (const name of required) {
      const without = { ...values, [name]: "", VERCEL: "1", VERCEL_URL: "x.vercel.app" };
      expect(() => requireDeployable(readEnv(without))).toThrow(`lacks ${name}.`);
    }
  });
});
