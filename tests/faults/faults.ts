import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

export type ProxiedRequest = {
  method: string;
  /** Path with its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** 1 for the first request that the proxy saw. */
  count: number;
};

export type ProxyAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

/** One request under way, in the hands of a fault. */
export type Exchange = {
  request: ProxiedRequest;
  /** Has the upstream do it, as often as it is called. */
  forward(changes?: Partial<Pick<ProxiedRequest, "path" | "body">>): Promise<ProxyAnswer>;
  /** Answers the client; with `bytes`, only the first of the body arrive before the connection breaks. */
  answer(answer: ProxyAnswer, bytes?: number): void;
  /** Breaks the client's connection. */
  drop(): void;
};

export type Fault = (exchange: Exchange) => Promise<void>;

/** The upstream does it, but the client never hears of it: the connection breaks, or stays open without an answer. */
export function loseAnswer(how: "drop" | "hang" = "drop"): Fault {
  return async ({ forward, drop }) => {
    await forward();
    if (how === "drop") drop();
  };
}

/** Delivers the request late, or its answer. The client may have given up by then. */
export function delay({ before = 0, after = 0 }: { before?: number; after?: number }): Fault {
  return async ({ forward, answer }) => {
    await wait(before);
    const done = await forward();
    await wait(after);
    answer(done);
  };
}

/** The connection breaks at once, and the request is delivered when it is released. */
export function deliverLater(released: Promise<void>): Fault {
  return async ({ forward, drop }) => {
    drop();
    await released;
    await forward();
  };
}

/** Waits for a signal instead of a time. */
export function hold(when: "before" | "after", released: Promise<void>): Fault {
  return async ({ forward, answer }) => {
    if (when === "before") await released;
    const done = await forward();
    if (when === "after") await released;
    answer(done);
  };
}

/** Delivers the request twice; the client gets the first answer. */
export function deliverTwice(how: "in sequence" | "at once"): Fault {
  return async ({ forward, answer }) => {
    const first = forward();
    if (how === "in sequence") await first;
    const second = forward();
    answer(await first);
    await second;
  };
}

/** The upstream does it, but the answer breaks off after `bytes`. */
export function cutBody(bytes: number): Fault {
  return async ({ forward, answer }) => answer(await forward(), bytes);
}

/** The upstream does it, and the answer has bytes before the body that are not part of it. */
export function bom(): Fault {
  return async ({ forward, answer }) => {
    const done = await forward();
    answer({ ...done, body: `\uFEFF${done.body}` });
  };
}

/** The upstream does it, but the answer says that it failed. */
export function status(code: number): Fault {
  return afterwards({ status: code, headers: HTML, body: page(`Error ${code}`) });
}

/** Answers with a page although it is done; or does nothing, like a server that sends everything unknown to the home page. */
export function htmlWith200(how: "done" | "not done" = "done"): Fault {
  const answered = { status: 200, headers: HTML, body: page("Welcome") };
  return how === "done" ? afterwards(answered) : instead(answered);
}

/** The upstream does not do it: the connection breaks first. */
export function refuse(): Fault {
  return async ({ drop }) => drop();
}

/** The upstream does not do it. */
export function redirect(to: string, code: 301 | 302 | 307 = 301): Fault {
  return instead({ status: code, headers: { location: to }, body: "" });
}

/** The upstream does not do it. */
export function maintenance(): Fault {
  return instead({ status: 503, headers: { ...HTML, "retry-after": "600" }, body: page("Maintenance") });
}

/** The upstream does not do it. */
export function unauthorized(body = "{}"): Fault {
  return instead({ status: 401, headers: { "content-type": "application/json" }, body });
}

export function instead(answered: ProxyAnswer): Fault {
  return async ({ answer }) => answer(answered);
}

function afterwards(answered: ProxyAnswer): Fault {
  return async ({ forward, answer }) => {
    await forward();
    answer(answered);
  };
}

const HTML = { "content-type": "text/html; charset=UTF-8" };

function page(title: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
}
