import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import type { SiteUsers } from "@/scripts/samples/wordpress/roles";
import { buildFolder, WORDPRESS_PACKAGES, type WordPressBuild } from "@/scripts/wordpress-builds";
import type { SeoPlugin } from "@/tests/support/wordpress/seo-plugins";

export type RealWordPressOptions = {
  /** Debian's package on MariaDB by default; the others run on SQLite. */
  build?: WordPressBuild;
  permalinks?: "pretty" | "plain";
  /** With a leading slash: `/blog`. */
  subdirectory?: string;
  /** A network of sites in subdirectories; the site is then the one at `/two`. */
  network?: true;
  /** A free one by default. */
  port?: number;
  /** The address for visitors if a proxy stands in front, with the subdirectory. The proxy keeps the Host header. */
  url?: string;
  /** `local` by default: WordPress is less strict with plain http then. */
  environment?: "local" | "production";
  /** How many requests it serves at once. */
  phpWorkers?: number;
  /** The processors that it may use, such as `0`; all of them by default. */
  cpus?: string;
};

export type RealWordPress = {
  url: string;
  /** Where PHP listens, behind any proxy. */
  origin: string;
  version: string;
  users: SiteUsers;
  /** Of the process above all of its own. */
  pid: number;
  /** So far, such as `POST /wp-json/batch/v1`. */
  requests(): string[];
  /** From now on it is as if these SEO plugins were active, and no others. Our own plugin is. */
  activate(plugins: readonly SeoPlugin[]): void;
  stop(): Promise<void>;
};

const DEBIAN_FOLDER = "/usr/share/wordpress";
const START_TIMEOUT_MS = 60_000;

/** Starts a real WordPress on 127.0.0.1, with a user of every role, in about three seconds. */
export async function startRealWordPress(options: RealWordPressOptions = {}): Promise<RealWordPress> {
  const { build = "debian", permalinks = "pretty", subdirectory = "", network, phpWorkers = 4 } = options;
  const source = build === "debian" ? DEBIAN_FOLDER : buildFolder(build);
  if (!existsSync(source))
    throw new Error(`These tests need a WordPress of Debian's packages: apt-get install ${WORDPRESS_PACKAGES}`);
  const port = options.port ?? (await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const url = options.url ?? origin + subdirectory;
  if (new URL(url).pathname.replace(/\/$/, "") !== subdirectory)
    throw new Error(`The address ${url} does not end in the subdirectory "${subdirectory}".`);
  const folder = mkdtempSync(path.join(os.tmpdir(), "wordpress-"));
  const script = path.join(process.cwd(), "tests/support/wordpress-server/start.sh");
  const [command = script, ...args] = options.cpus ? ["taskset", "-c", options.cpus, script] : [script];
  const server = spawn(command, args, {
    // In a group of its own, so that PHP's workers and the database are killed with it.
    detached: true,
    env: {
      ...process.env,
      WORK_DIR: folder,
      PORT: String(port),
      URL: url,
      PERMALINKS: permalinks,
      NETWORK: network ? "1" : "",
      SOURCE: source,
      DATABASE: build === "debian" ? "mariadb" : "sqlite",
      PHP_WORKERS: String(phpWorkers),
      ENVIRONMENT: options.environment ?? "local",
    },
  });
  const stop = async () => {
    await end(server);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(server);
    const site = JSON.parse(readFileSync(path.join(folder, "site.json"), "utf8")) as Omit<
      RealWordPress,
      "origin" | "pid" | "requests" | "activate" | "stop"
    >;
    const requests = () =>
      [...readFileSync(path.join(folder, "php.log"), "utf8").matchAll(REQUEST)].map(([, line = ""]) => line);
    const active = path.join(folder, "site", subdirectory, "wp-content/seo-plugins.txt");
    const activate = (plugins: readonly SeoPlugin[]) => writeFileSync(active, plugins.join("\n"));
    return { ...site, origin, pid: server.pid ?? 0, requests, activate, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** As router.php logs them. */
const REQUEST = /^asked ([A-Z]+ .*)$/gm;

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
      if (/^ready$/m.test(chunk.toString())) settle(resolve);
    });
    server.once("error", (error) => settle(() => reject(error)));
    server.once("close", () => settle(() => reject(new Error(`WordPress did not start: ${printed}`))));
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
