/** @jest-environment node */
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { generate } from "@/lib/ai/generate";
import type { Prompt } from "@/lib/ai/prompts/prompt";
import type { AiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { createMailer } from "@/lib/email/mailer";
import { inngest } from "@/lib/events/client";
import { sendEvents } from "@/lib/events/send";
import { cachedCategories } from "@/lib/features/publishing/writes/category";
import { inPlace, requestCounts } from "@/lib/limits/place";
import { createSafeFetch } from "@/lib/net/safe-fetch";
import { eventStream } from "@/lib/transport/event-stream";
import { createExchange } from "@/lib/wordpress/exchange";

jest.mock("@/lib/events/presence", () => ({ noteEngineAway: jest.fn(), noteEngineBack: jest.fn() }));

/** A site, a provider or a mail server that takes the connection and then says nothing. */
let silent: Server;
let silentMail: ReturnType<typeof createTcpServer>;
let connections = 0;
const sockets: Socket[] = [];
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  silent = createServer(() => {
    connections++;
  });
  silentMail = createTcpServer((socket) => {
    connections++;
    sockets.push(socket);
  });
  for (const server of [silent, silentMail]) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }
});
beforeEach(() => {
  connections = 0;
});
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
  silentMail.close();
});

function hangUp(): void {
  for (const socket of sockets) socket.destroy();
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 1_000) throw new Error("It did not become so.");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const prompt: Prompt<string> = {
  name: "plain",
  version: "plain-1",
  messages: [{ role: "user", content: "Write" }],
  limits: {},
  read: (text) => ({ ok: true, value: text }),
};

/** Each starts something that waits; the result lets go of it, where it can. */
const OUTSIDE: Record<string, () => { waiting: Promise<unknown>; letGo?: () => void; connects?: boolean }> = {
  "a site": () => {
    const fetch = createSafeFetch({ allowedHosts: "127.0.0.1" });
    const exchange = createExchange({ userId: "maren", username: "maren", password: "secret", fetch });
    const url = new URL(`http://127.0.0.1:${portOf(silent)}/`);
    return { waiting: exchange.send(url, { kind: "read" }, () => ({ timeoutMs: 500 })), connects: true };
  },
  "a provider": () => {
    let fail: () => void = () => undefined;
    const complete = () => new Promise<never>((_, reject) => (fail = () => reject(new Error("gone"))));
    const waiting = generate({ complete } as unknown as AiProvider, prompt);
    return { waiting, letGo: () => fail() };
  },
  "a category that another call creates": () => {
    let create: (id: number) => void = () => undefined;
    const client = {
      ensureCategory: () => new Promise<number>((resolve) => (create = resolve)),
      readCategory: jest.fn(),
      findCategories: async () => [],
    };
    const site = { id: "site", client } as unknown as Parameters<typeof cachedCategories>[0];
    const alone = <T>(_actor: unknown, _key: string, work: () => Promise<T>) => work();
    const call = () => cachedCategories(site, {} as Actor, { alone }).categoryNamed("Seeds");
    const other = call();
    return { waiting: Promise.all([other, call()]), letGo: () => create(1) };
  },
  "a mail server": () => {
    const send = createMailer({ smtpUrl: `smtp://127.0.0.1:${portOf(silentMail)}`, from: "a@b.example", outbox: "" });
    const waiting = send({ to: "c@d.example", subject: "s", text: "t", html: "h" });
    return { waiting, letGo: hangUp, connects: true };
  },
  "the job engine": () => {
    let fail: () => void = () => undefined;
    const send = () => new Promise<never>((_, reject) => (fail = () => reject(new Error("gone"))));
    jest.spyOn(inngest, "send").mockImplementation(send);
    return { waiting: sendEvents([]), letGo: () => fail() };
  },
};

it.each(Object.keys(OUTSIDE))(
  "a call gives its place back while it waits for %s, and has it again afterwards",
  async (name) => {
    let begin: () => void = () => undefined;
    const began = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let afterwards = -1;
    const call = inPlace({ key: name, width: 1 }, {}, async () => {
      expect(requestCounts().working).toBe(1);
      const { waiting, letGo, connects } = OUTSIDE[name]?.() ?? { waiting: Promise.resolve() };
      const settled = waiting.catch(() => undefined);
      if (connects) await until(() => connections > 0);
      await began;
      letGo?.();
      await settled;
      afterwards = requestCounts().working;
    });
    await until(() => requestCounts().working === 0);
    begin();
    await call;
    expect(afterwards).toBe(1);
    expect(requestCounts()).toEqual({ working: 0, waiting: 0 });
  },
);

it("a call leaves its place when its stream begins to answer", async () => {
  let end: () => void = () => undefined;
  const call = inPlace({ key: "reader", width: 1 }, {}, async () => {
    const response = eventStream(async (sink) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(requestCounts().working).toBe(1);
      sink("delta", { text: "a" });
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    }, "mine");
    await response.text();
  });
  await until(() => requestCounts().working === 0);
  end();
  await call;
});
