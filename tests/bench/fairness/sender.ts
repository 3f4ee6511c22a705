import http from "node:http";
import type { Answers, Call } from "@/tests/bench/fairness/traffic";

/** Longer than any answer should take, so that slow ones are measured and not cut off. */
const TIMEOUT_MS = 60_000;
/** What `fill` repeats: words, because a body of one letter costs less to store. */
const WORDS = "What a reader needs, told in order. ";

export type Sender = {
  /** Sends the next call; resolves with its status, with 0 without an answer, and with undefined after `end`. */
  next(): Promise<number | undefined>;
  /** Waits for the answers that are open. */
  end(): Promise<Answers>;
};

/** Sends calls in turn over connections of its own, as many as are open at once. */
export function createSender(url: string, calls: Call[]): Sender {
  const agent = new http.Agent({ keepAlive: true });
  const { hostname, port, origin } = new URL(url);
  const prepared = calls.map((call) => prepare(call, origin));
  const answers: Answers = { times: [], statuses: {} };
  const open = new Set<Promise<unknown>>();
  let turn = 0;
  let ended = false;
  return { next, end };

  async function next(): Promise<number | undefined> {
    const call = prepared[turn++ % prepared.length];
    if (ended || !call) return undefined;
    const began = performance.now();
    const answered = send(call);
    open.add(answered);
    const status = await answered;
    open.delete(answered);
    answers.times.push(performance.now() - began);
    const name = status === 0 ? "no answer" : String(status);
    answers.statuses[name] = (answers.statuses[name] ?? 0) + 1;
    return status;
  }

  function send({ options, body, isStream }: Prepared): Promise<number> {
    return new Promise((resolve) => {
      const request = http.request({ agent, hostname, port, ...options }, (response) => {
        const { statusCode = 0 } = response;
        if (isStream) response.once("data", () => resolve(statusCode));
        response.resume().on("close", () => resolve(response.complete ? statusCode : 0));
      });
      const timer = setTimeout(() => request.destroy(), TIMEOUT_MS);
      request.on("error", () => resolve(0));
      request.on("close", () => clearTimeout(timer));
      request.end(body);
    });
  }

  async function end(): Promise<Answers> {
    ended = true;
    await Promise.all(open);
    agent.destroy();
    return answers;
  }
}

type Prepared = { options: http.RequestOptions; body: string | undefined; isStream: boolean };

function prepare({ method, path, cookie, headers, body, fill, isStream }: Call, origin: string): Prepared {
  const filled = fill
    ? { ...(body as object), body: WORDS.repeat(Math.ceil(fill / WORDS.length)).slice(0, fill) }
    : body;
  const text = filled === undefined || typeof filled === "string" ? filled : JSON.stringify(filled);
  return {
    options: {
      method,
      path,
      headers: {
        origin,
        ...(cookie ? { cookie } : {}),
        ...(text === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
        ...(isStream ? { accept: "text/event-stream" } : {}),
        ...headers,
      },
    },
    body: text,
    isStream: isStream === true,
  };
}
