import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { databaseLine, engineLine } from "@/scripts/found";

const SECRET = "hunter2";

describe("databaseLine", () => {
  it("names the embedded PostgreSQL, its version and the folder of its data", () => {
    const cluster = mkdtempSync(path.join(os.tmpdir(), "cluster-"));
    writeFileSync(path.join(cluster, "PG_VERSION"), "18\n");
    const database = {
      url: `postgresql://app:${SECRET}@127.0.0.1:5433/content_planner`,
      embedded: { cluster } as never,
    };
    expect(databaseLine(database, path.resolve(".data"))).toBe("Database: embedded PostgreSQL 18 (.data)");
    rmSync(cluster, { recursive: true });
  });

  it.each([
    [`postgresql://planner:${SECRET}@db.example.com:6432/planner?sslmode=require`, "db.example.com:6432/planner"],
    [`postgres://db.example.com/planner?user=planner&password=${SECRET}`, "db.example.com/planner"],
    [`postgresql:///planner?host=/run/postgresql&password=${SECRET}`, "local socket/planner"],
  ])("names another database by host and name, without user and password", (url, place) => {
    expect(databaseLine({ url }, "/nowhere")).toBe(`Database: ${place} (DATABASE_URL)`);
  });
});

describe("engineLine", () => {
  const local = { deployed: false, INNGEST_DEV: undefined, INNGEST_BASE_URL: undefined };
  const configured = { kind: "configured", environment: {} } as const;
  const found = { kind: "dev server", environment: { INNGEST_DEV: "http://127.0.0.1:8288" } } as const;
  const embedded = { kind: "embedded", environment: { INNGEST_BASE_URL: "http://127.0.0.1:40123" } } as const;

  it.each([
    ["a dev server that answered", found, local, "dev server on :8288"],
    ["the dev server that INNGEST_DEV switches on", configured, { ...local, INNGEST_DEV: "1" }, "dev server on :8288"],
    ["a dev server on another port", configured, { ...local, INNGEST_DEV: "localhost:9288" }, "dev server on :9288"],
    ["the embedded engine", embedded, local, "embedded"],
    ["Inngest Cloud", configured, { ...local, deployed: true }, "cloud"],
    [
      "a self-hosted Inngest",
      configured,
      { ...local, INNGEST_BASE_URL: `https://key:${SECRET}@inngest.example.com/?token=${SECRET}` },
      "inngest.example.com",
    ],
    [
      "an Inngest whose address cannot be parsed",
      configured,
      { ...local, INNGEST_BASE_URL: `${SECRET} @` },
      "INNGEST_BASE_URL",
    ],
  ])("names %s", (_, engine, values, name) => {
    expect(engineLine(engine, values)).toBe(`Inngest: ${name}`);
  });
});
