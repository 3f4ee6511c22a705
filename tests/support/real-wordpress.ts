import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import type { SiteUsers } from "@/tests/support/wordpress/roles";

export type RealWordPressOptions = {
  permalinks?: "pretty" | "plain";
  /** With a leading slash: `/blog`. */
  subdirectory?: string;
  /** A free one by default. */
  port?: number;
};

export type RealWordPress = { url: string; version: string; users: SiteUsers; stop(): Promise<void> };

/** Package names on Debian and Ubuntu. */
export const WORDPRESS_PACKAGES = "wordpress mariadb-server php-cli php-mysql php-xml php-mbstring curl";

const START_TIMEOUT_MS = 60_000;

/**
 * Starts a real WordPress from Debian's packages on 127.0.0.1, with a user of every role, in about three seconds. Fails
 * with a sentence if packages are missing.
 */
export async function startRealWordPress(options: RealWordPressOptions = {}): Promise<RealWordPress> {
  if (!existsSync("/usr/share/wordpress")) {
    throw new Error(`These tests need a WordPress of Debian's packages: apt-get install ${WORDPRESS_PACKAGES}`);
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), "wordpress-"));
  const server = spawn(path.join(process.cwd(), "tests/support/wordpress-server/start.sh"), {
    // In a group of its own, so that PHP's workers and the database are killed with it.
    detached: true,
    env: {
      ...process.env,
      WORK_DIR: folder,
      PORT: String(options.port ?? (await freePort())),
      PERMALINKS: options.permalinks ?? "pretty",
      SUBDIRECTORY: options.subdirectory ?? "",
    },
  });
  const stop = async () => {
    await end(server);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(server);
    const site = JSON.parse(readFileSync(path.join(folder, "site.json"), "utf8")) as Omit<RealWordPress, "stop">;
    return { ...site, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function ready(server: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const timer = setTimeout(() => reject(new Error(`WordPress did not start in time: ${printed}`)), START_TIMEOUT_MS);
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      finish();
    };
    server.stderr.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    server.stdout.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("ready")) settle(resolve);
    });
    server.once("error", (error) => settle(() => reject(error)));
    server.once("exit", (code) => settle(() => reject(new Error(`WordPress did not start (${code}): ${printed}`))));
  });
}

/** Kills it: its data is discarded anyway. */
async function end(server: ChildProcessWithoutNullStreams): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("close", resolve));
  process.kill(-server.pid, "SIGKILL");
  await ended;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
