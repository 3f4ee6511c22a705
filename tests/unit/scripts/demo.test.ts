import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Caller, CallFailed } from "@/scripts/demo/caller";
import { fillDemo } from "@/scripts/demo/fill";
import { type DemoRecord, openRecord, recordFile } from "@/scripts/demo/record";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "demo-record-"));
  file = recordFile(folder);
  writeFileSync(file, "{}");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An app in which all goes well, except for calls that `fails` names a status for. */
function app(fails: (call: string) => number | undefined = () => undefined) {
  const calls: string[] = [];
  let lastId = 0;
  const answer = async (call: string, result: unknown) => {
    calls.push(call);
    const status = fails(call);
    if (status) throw new CallFailed(status, `It was ${status}.`);
    return result as never;
  };
  const caller: Caller = {
    get: (url) => answer(`GET ${url}`, lists(url)),
    patch: (url) => answer(`PATCH ${url}`, {}),
    post: (url) => answer(`POST ${url}`, { id: ++lastId, jobId: "job", keywords: ["seedlings checklist"] }),
    signOut: async () => undefined,
  };
  return { caller, calls };
}

function lists(url: string): unknown {
  if (url === "/api/projects") return [{ id: 1 }];
  if (url === "/api/queue/status") return { jobs: [] };
  return url.startsWith("/api/content/") ? { body: "Text.", version: 1 } : [];
}

const record = () => openRecord(file) as DemoRecord;

it("fills the account once", async () => {
  await fillDemo(app().caller, record());
  expect(openRecord(file)).toBeUndefined();
});

it("has nothing to fill in an account without a record", () => {
  rmSync(file);
  expect(openRecord(file)).toBeUndefined();
});

it("goes on after a failure where it stopped", async () => {
  const broken = app((call) => (call.endsWith("/generate-all-content-queue") ? 503 : undefined));
  await expect(fillDemo(broken.caller, record())).rejects.toThrow("It was 503.");
  const again = app();
  await fillDemo(again.caller, record());
  expect(again.calls[0]).toMatch(/generate-all-content-queue$/);
  expect(openRecord(file)).toBeUndefined();
});

it("leaves out what the user has deleted meanwhile, and makes the rest", async () => {
  const { caller, calls } = app((call) => (call.startsWith("POST /api/topics/1/") ? 404 : undefined));
  await fillDemo(caller, record());
  expect(calls).toContain("POST /api/projects/1/generate-content-ideas");
  expect(openRecord(file)).toBeUndefined();

  writeFileSync(file, "{}");
  const empty = app((call) => (call === "GET /api/projects" ? 404 : undefined));
  await fillDemo(empty.caller, record());
  expect(empty.calls).toEqual(["GET /api/projects"]);
  expect(openRecord(file)).toBeUndefined();
});
