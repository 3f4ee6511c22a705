import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Child } from "@/scripts/child";
import { pgbouncer, startPooler, untilReady } from "@/scripts/debian-postgres";
import { freePort } from "@/scripts/ports";
import { postgresAccount } from "@/scripts/postgres-binaries";
import { type AppProcess, startAppProcess } from "@/tests/support/app-process";
import { databaseUrl } from "@/tests/support/db";
import { newUser } from "@/tests/support/factories";
import { followQueue } from "@/tests/support/queue-stream";

// PgBouncer in transaction mode takes LISTEN and delivers nothing. It is tested where Debian's package is installed.

(pgbouncer() ? describe : describe.skip)("behind PgBouncer in transaction mode", () => {
  let folder: string;
  let pooler: Child;
  let app: AppProcess | undefined;
  const address = new URL(databaseUrl());

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "pooler-"));
    chmodSync(folder, 0o755);
    const port = await freePort();
    pooler = startPooler(path.join(folder, "pooler"), databaseUrl(), port, postgresAccount());
    address.port = String(port);
    await untilReady(address.href);
  });
  afterEach(() => app?.close());
  afterAll(async () => {
    await pooler.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["the direct address", () => ({ DIRECT_DATABASE_URL: address.href })],
    ["both addresses", () => ({ DATABASE_URL: address.href, DIRECT_DATABASE_URL: address.href })],
  ])("answers 204 where the pooler is %s", async (_what, addresses) => {
    const user = await newUser();
    app = await startAppProcess(addresses());
    const caller = app.callerOf(user);
    expect((await followQueue(caller)).status).toBe(204);
    // The pooler is not asked again at once.
    const began = Date.now();
    expect((await followQueue(caller)).status).toBe(204);
    expect(Date.now() - began).toBeLessThan(500);
  });
});
