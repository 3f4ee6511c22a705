import http from "node:http";
import type { AddressInfo } from "node:net";
import { readEnv } from "@/lib/env";
import { requireFreePort, waitUntilReady } from "@/scripts/app";
import type { Exit } from "@/scripts/child";
import { connectEngine, type Engine, isDevServer } from "@/scripts/engine";
import { freePort, isFree } from "@/scripts/ports";

let server: http.Server;
let port: number;
let answer: http.RequestListener;

beforeEach(async () => {
  server = http.createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("requireFreePort", () => {
  it("says what to do when another program uses the port", async () => {
    await expect(requireFreePort(port, "127.0.0.1", "dev")).rejects.toThrow(
      `Port ${port} is in use by another program: stop it, or choose another port with PORT=${port + 1} npm run dev.`,
    );
  });

  it("accepts a free port", async () => {
    await expect(requireFreePort(await freePort(), "127.0.0.1", "dev")).resolves.toBeUndefined();
  });
});

describe("freePort", () => {
  it("returns the first wanted port that is free, or else any free port", async () => {
    const wanted = await freePort();
    expect(await freePort(port, undefined, wanted)).toBe(wanted);
    const other = await freePort(port);
    expect(other).not.toBe(port);
    expect(await isFree(other)).toBe(true);
  });
});

describe("isDevServer", () => {
  const url = () => `http://127.0.0.1:${port}`;

  it("recognises the Inngest dev server by its response", async () => {
    answer = (request, response) =>
      response.end(request.url === "/dev" ? JSON.stringify({ version: "1.2.3", startOpts: {}, functions: [] }) : "{}");
    expect(await isDevServer(url())).toBe(true);
  });

  it.each([
    ["a page", "<html></html>"],
    ["other JSON", '{"version":"1"}'],
    ["JSON that is not an object", "null"],
  ])("does not mistake %s for the dev server", async (_what, body) => {
    answer = (_request, response) => response.end(body);
    expect(await isDevServer(url())).toBe(false);
  });

  it("finds no dev server where nothing answers", async () => {
    expect(await isDevServer(`http://127.0.0.1:${await freePort()}`)).toBe(false);
  });
});

describe("connectEngine", () => {
  const secrets = {
    AUTH_SECRET: "s",
    ENCRYPTION_KEYS: "k",
    INNGEST_SIGNING_KEY: `signkey-test-${"ab".repeat(32)}`,
    INNGEST_EVENT_KEY: "kept",
  };
  let engine: Engine;
  afterEach(() => engine.close());

  async function open(environment: Record<string, string>, appUrl = "http://127.0.0.1:9"): Promise<Engine> {
    answer = (_request, response) => response.end(JSON.stringify({ version: "1.2.3", startOpts: {} }));
    engine = await connectEngine(readEnv(environment), {
      appUrl,
      secrets: () => secrets,
      embeddedOnly: false,
      log: () => undefined,
      devServer: `http://127.0.0.1:${port}`,
    });
    return engine;
  }

  it("uses the dev server that runs on this machine", async () => {
    const { kind, environment } = await open({});
    expect(kind).toBe("dev server");
    expect(environment).toEqual({
      INNGEST_DEV: `http://127.0.0.1:${port}`,
      INNGEST_SERVE_ORIGIN: "http://127.0.0.1:9",
    });
  });

  it.each(["0.0.0.0", "::", "192.168.1.10"])(
    "uses the embedded engine, which signs its calls, for an app that listens on %s",
    async (HOST) => {
      expect((await open({ HOST })).kind).toBe("embedded");
    },
  );

  it("is called back where the app listens", async () => {
    const { environment } = await open({ HOST: "192.168.1.10" }, "http://192.168.1.10:3000");
    expect(environment.INNGEST_SERVE_ORIGIN).toBe("http://192.168.1.10:3000");
  });

  it("accepts events and queries only with the installation's own keys", async () => {
    const { environment } = await open({ HOST: "0.0.0.0" });
    const url = environment.INNGEST_BASE_URL;
    const event = { method: "POST", body: JSON.stringify({ name: "go", data: {} }) };
    expect((await fetch(`${url}/e/another`, event)).status).toBe(401);
    expect((await fetch(`${url}/e/kept`, event)).status).toBe(200);
    expect((await fetch(`${url}/v1/runs/1`)).status).toBe(401);
  });
});

describe("waitUntilReady", () => {
  const alive = { pid: 1, ended: new Promise<Exit>(() => undefined), stop: async () => undefined };

  it("waits until the app and its database answer", async () => {
    const statuses = [503, 503, 200];
    answer = (_request, response) => response.writeHead(statuses.shift() ?? 200).end();
    await waitUntilReady(alive, "127.0.0.1", port);
    expect(statuses).toEqual([]);
  });

  it("shows the last lines of an app that exited", async () => {
    const ended = Promise.resolve({ code: 1, lastLines: "Error: no such table" });
    answer = (_request, response) => response.writeHead(503).end();
    await expect(waitUntilReady({ ...alive, ended }, "127.0.0.1", port)).rejects.toThrow(
      /no such table[\s\S]*The app exited while starting/,
    );
  });
});
