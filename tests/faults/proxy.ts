import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Exchange, Fault, ProxiedRequest, ProxyAnswer } from "@/tests/faults/faults";

/** Chooses the fault of a request; undefined passes it on unharmed. */
export type Rule = (request: ProxiedRequest) => Fault | undefined;

export type FaultProxy = {
  /** Where clients find the upstream, such as `http://127.0.0.1:4000`. */
  origin: string;
  /** May be replaced at any time; applies from the next request on. */
  rule: Rule;
  /** All requests so far, oldest first, whatever became of them. */
  requests: ProxiedRequest[];
  /** Resolves once everything delayed was delivered and nothing is under way. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

export type ProxyOptions = {
  /** Its origin, such as `http://127.0.0.1:8080`. */
  upstream: string;
  /** The name it is reached by, and listens on. */
  host?: string;
  port?: number;
  /** What the upstream calls itself in answers, if that is not this proxy. */
  publicOrigin?: string;
  rule?: Rule;
};

/**
 * An HTTP proxy that makes faults between a client and a server. Answers name the proxy wherever the upstream names
 * itself, so that a client that follows a link stays behind it. What was forwarded is delivered even if the client
 * hangs up meanwhile.
 */
export async function startFaultProxy(options: ProxyOptions): Promise<FaultProxy> {
  const { upstream, host = "127.0.0.1", port = 0, rule = () => undefined } = options;
  const underway = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    const work = serve(incoming, outgoing).catch(() => {
      outgoing.destroy();
    });
    underway.add(work);
    work.finally(() => underway.delete(work));
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  const rename = renamer(upstream, options.publicOrigin ?? origin);

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request: ProxiedRequest = {
      method: incoming.method ?? "GET",
      path: incoming.url ?? "/",
      headers: incoming.headers,
      body: await readText(incoming),
      count: proxy.requests.length + 1,
    };
    proxy.requests.push(request);
    const exchange: Exchange = {
      request,
      forward: async (changes) => rename(await forwardTo(upstream, { ...request, ...changes })),
      answer: (answer, bytes) => send(outgoing, answer, bytes),
      drop: () => outgoing.destroy(),
    };
    const fault = proxy.rule(request);
    if (fault) await fault(exchange);
    else exchange.answer(await exchange.forward());
  }

  const proxy: FaultProxy = {
    origin,
    rule,
    requests: [],
    async settled() {
      while (underway.size > 0) await Promise.all(underway);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return proxy;
}

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"];

function forwardTo(upstream: string, { method, path, headers, body }: ProxiedRequest): Promise<ProxyAnswer> {
  const sent: Record<string, string | string[] | undefined> = { ...headers };
  for (const name of [...HOP_BY_HOP, "accept-encoding"]) delete sent[name];
  if (body !== "") sent["content-length"] = String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    const options = { method, headers: { ...sent, host: new URL(upstream).host, connection: "close" }, agent: false };
    const forwarded = httpRequest(new URL(path, upstream), options, (answer) => {
      readText(answer).then((text) => {
        const kept = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
        resolve({ status: answer.statusCode ?? 502, headers: Object.fromEntries(kept), body: text });
      }, reject);
    });
    forwarded.once("error", reject);
    forwarded.end(body);
  });
}

/** Replaces the upstream's origin in headers and body: as it is, escaped in JSON, and percent-encoded. */
function renamer(upstream: string, publicOrigin: string): (answer: ProxyAnswer) => ProxyAnswer {
  const forms = [(text: string) => text, (text: string) => text.replaceAll("/", "\\/"), encodeURIComponent];
  const pairs = forms.map((form) => [form(new URL(upstream).origin), form(publicOrigin)] as const);
  const rename = (text: string) => pairs.reduce((renamed, [from, to]) => renamed.replaceAll(from, to), text);
  return ({ status, headers, body }) => {
    const renamed = Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(rename) : value && rename(value),
    ]);
    return { status, headers: Object.fromEntries(renamed), body: rename(body) };
  };
}

/** Announces the whole body, also when only its first `bytes` are sent. */
function send(outgoing: ServerResponse, { status, headers, body }: ProxyAnswer, bytes?: number): void {
  if (outgoing.destroyed || outgoing.headersSent) return;
  const whole = Buffer.from(body);
  outgoing.writeHead(status, { ...headers, "content-length": whole.length, connection: "close" });
  if (bytes === undefined || bytes >= whole.length) outgoing.end(whole);
  else outgoing.write(whole.subarray(0, bytes), () => outgoing.destroy());
}
