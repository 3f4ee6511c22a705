import { z } from "zod";
import { AppError } from "@/lib/errors";
import { STREAMS_EACH } from "@/lib/limits/bounds";
import { Reply } from "@/lib/transport/reply";
import { type RouteHandler, route } from "@/lib/transport/route";
import { createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { newUser, type User } from "@/tests/support/factories";

// What route() adds to any verb.

const named = { operationId: "tryIt", summary: "Tries it" };
const reply = z.object({ name: z.string() });
const NAME = { name: "Maren" };
const anyone = { ...named, access: "anyone" as const, reply };

let address = 0;
const newAddress = () => `10.77.${process.pid % 256}.${++address}`;

/** A caller of this route, with the session of the user if given. */
function callerOf(handler: RouteHandler, user?: User, from = newAddress()) {
  return createCaller(user?.caller.cookie(), from, (request) => handler(request));
}

const get = (handler: RouteHandler, headers: Record<string, string> = {}, user?: User) =>
  callerOf(handler, user).call<Record<string, unknown>>("GET", "/api/it", undefined, headers);

describe("the response", () => {
  it.each([
    ["status 200 with a reply", {}, {}, 200],
    ["the route's status", { status: 201 }, {}, 201],
    ["the verb's status", { status: 201 }, { status: 202 }, 202],
  ])("has %s", async (_, spec, options, status) => {
    const { status: seen, body } = await get(route({ ...anyone, ...spec }, async () => new Reply(NAME, options)));
    expect([seen, body]).toEqual([status, NAME]);
  });

  it.each([
    ["no reply", undefined, undefined, 204],
    ["no reply and a status", undefined, 202, 202],
    ["204", reply, 204, 204],
    ["304", reply, 304, 304],
  ])("has no body with %s", async (_, schema, status, expected) => {
    const spec = { ...named, access: "anyone" as const, ...(schema ? { reply: schema } : {}) };
    const options = status === undefined ? {} : { status };
    const { status: seen, text } = await get(route(spec, async () => new Reply(NAME, options)));
    expect([seen, text]).toEqual([expected, ""]);
  });

  it("has our headers and the verb's, and only the fields in its schema", async () => {
    const verb = async () => new Reply({ ...NAME, password: "secret" }, { headers: { link: "</next>" } });
    const { headers, text } = await get(route(anyone, verb), { "x-request-id": "mine-1" });
    expect(JSON.parse(text)).toEqual(NAME);
    expect(Object.fromEntries(headers)).toEqual({
      "cache-control": "no-store",
      "content-type": "application/json",
      link: "</next>",
      "x-content-type-options": "nosniff",
      "x-request-id": "mine-1",
    });
  });

  it.each([
    ["20 seconds for a 429 without a time", new AppError("AI_RATE_LIMITED"), "20"],
    ["the error's time for a 429", new AppError("RATE_LIMITED", { retryAfter: 1.2 }), "2"],
    ["the error's time for another failure", new AppError("SERVICE_UNAVAILABLE", { retryAfter: 5 }), "5"],
    ["nothing for another failure without a time", new AppError("DUPLICATE"), null],
  ])("sets Retry-After: %s", async (_, error, seconds) => {
    const { status, headers, body } = await get(route(anyone, () => Promise.reject(error)));
    expect([status, body.type, headers.get("retry-after")]).toEqual([error.status, error.type, seconds]);
    expect(headers.get("cache-control")).toBe("no-store");
  });
});

describe("access", () => {
  it("requires a session unless the route is open to anyone", async () => {
    const user = await newUser();
    const verb = jest.fn(async ({ actor }) => ({ name: actor?.userId ?? "nobody" }));
    expect((await get(route({ ...named, reply }, verb))).body).toMatchObject({ type: "UNAUTHENTICATED" });
    expect(verb).not.toHaveBeenCalled();
    expect((await get(route(anyone, verb))).body).toEqual({ name: "nobody" });
    expect((await get(route({ ...named, reply }, verb), {}, user)).body).toEqual({ name: user.id });
    const stale = createCaller("session=of-another-time", newAddress(), (request) => route(named, verb)(request));
    expect((await stale.get("/api/it")).status).toBe(401);
  });

  it("refuses writes from other sites and from forms", async () => {
    const verb = jest.fn(async () => NAME);
    const handler = route(anyone, verb);
    const send = (method: string, headers: Record<string, string>) =>
      callerOf(handler).call("GET" === method ? "GET" : method, "/api/it", undefined, headers);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect((await send(method, { origin: "https://evil.example" })).status).toBe(403);
      expect((await send(method, { "content-type": "text/plain" })).status).toBe(415);
    }
    expect(verb).not.toHaveBeenCalled();
    expect((await send("GET", { origin: "https://evil.example" })).status).toBe(200);
  });

  it("is limited by user, or by address without a session", async () => {
    const handler = route({ ...anyone, limit: "export" }, async () => NAME);
    const [one, other] = [await newUser(), await newUser()];
    const from = newAddress();
    const statuses = async (count: number, user?: User, where = from) => {
      const caller = callerOf(handler, user, where);
      const seen: number[] = [];
      for (let n = 0; n < count; n++) seen.push((await caller.get("/api/it")).status);
      return seen.filter((status) => status === 200).length;
    };
    expect(await statuses(11, one)).toBe(10);
    expect(await statuses(1, one, newAddress())).toBe(0);
    expect(await statuses(1, other)).toBe(1);
    expect(await statuses(11)).toBe(10);
    expect(await statuses(1, undefined, newAddress())).toBe(1);
  });
});

describe("the request", () => {
  const params = z.object({ id: z.coerce.number() });
  const echo = async ({ params, query, body }: { params?: unknown; query?: unknown; body?: unknown }) => ({
    name: JSON.stringify({ params, query, body }),
  });

  it("is parsed by the route's schemas; parts without a schema are dropped", async () => {
    const schemas = { params, query: z.object({ page: z.string() }), body: z.object({ title: z.string() }) };
    const send = async (handler: RouteHandler, id: string, search: string, body: unknown) => {
      const caller = createCaller(undefined, newAddress(), (request) =>
        handler(request, { params: Promise.resolve({ id }) }),
      );
      const answer = await caller.post<{ name: string; type: string }>(`/api/it/${id}${search}`, body);
      return answer.status === 200 ? JSON.parse(answer.body.name) : answer.body.type;
    };
    const full = route({ ...anyone, ...schemas }, echo);
    expect(await send(full, "7", "?page=2", { title: "Seeds", more: 1 })).toEqual({
      params: { id: 7 },
      query: { page: "2" },
      body: { title: "Seeds" },
    });
    expect(await send(full, "x", "?page=2", { title: "Seeds" })).toBe("NOT_FOUND");
    expect(await send(full, "7", "", { title: "Seeds" })).toBe("VALIDATION_ERROR");
    expect(await send(full, "7", "?page=2", {})).toBe("VALIDATION_ERROR");
    expect(await send(route(anyone, echo), "7", "?page=2", { title: "Seeds" })).toEqual({});
    expect(await send(route({ ...anyone, body: z.object({}).optional() }, echo), "7", "", null)).toEqual({});
  });

  it("may be as large as the route allows, 64 KiB by default where anybody may call it, else 1 MiB", async () => {
    const body = z.object({ title: z.string() });
    const status = async (handler: RouteHandler, bytes: number) => {
      const title = "x".repeat(bytes - JSON.stringify({ title: "" }).length);
      return (await callerOf(handler).post("/api/it", { title })).status;
    };
    const open = route({ ...anyone, body }, async () => NAME);
    expect([await status(open, 65_536), await status(open, 65_537)]).toEqual([200, 413]);
    const short = route({ ...anyone, body, maxBody: 100 }, async () => NAME);
    expect([await status(short, 100), await status(short, 101)]).toEqual([200, 413]);
  });
});

describe("a stream", () => {
  const stream = async (_: unknown, sink: (event: "delta", data: unknown) => void) => {
    sink("delta", { text: "Wa" });
    return { ...NAME, password: "secret" };
  };

  it("goes only to clients that ask for one, and ends with the reply", async () => {
    const handler = route(anyone, async () => NAME, stream);
    const { headers, text } = await get(handler, { accept: "text/event-stream", "x-request-id": "mine-2" });
    expect(text).toBe('event: delta\ndata: {"text":"Wa"}\n\nevent: done\ndata: {"name":"Maren"}\n\n');
    expect(headers.get("x-request-id")).toBe("mine-2");
    expect((await get(handler)).body).toEqual(NAME);
    const plain = route(anyone, async () => NAME);
    expect((await get(plain, { accept: "text/event-stream" })).body).toEqual(NAME);
    expect([handler.spec.streams, plain.spec.streams]).toEqual([true, false]);
    expect(plain.spec).toMatchObject({ operationId: "tryIt", access: "anyone" });
  });
});

describe("a user's streams", () => {
  it("are eight at most, each until its work has ended, also when nobody reads it", async () => {
    const ends: (() => void)[] = [];
    const handler = route(
      { ...named, reply },
      async () => NAME,
      async () => {
        await new Promise<void>((resolve) => ends.push(resolve));
        return NAME;
      },
    );
    const user = await newUser();
    const open = () => callerOf(handler, user).call("GET", "/api/it", undefined, { accept: "text/event-stream" });
    const streams = Array.from({ length: STREAMS_EACH }, open);
    while (ends.length < STREAMS_EACH) await new Promise((resolve) => setTimeout(resolve, 5));
    const paid = route(
      { ...named, reply, idempotent: "paid" },
      async () => NAME,
      async () => NAME,
    );
    const ninth = () => {
      const headers = { accept: "text/event-stream", "idempotency-key": "the-ninth-of-them" };
      return callerOf(paid, user).call("POST", "/api/it", undefined, headers);
    };
    expect(await ninth()).toMatchObject({ status: 429, body: { type: "RATE_LIMITED" } });
    expect((await get(handler, {}, user)).status).toBe(200);
    ends[0]?.();
    await Promise.race(streams);
    expect(await ninth()).toMatchObject({ status: 200, text: expect.stringContaining("event: done") });
    const another = open();
    while (ends.length <= STREAMS_EACH) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const end of ends) end();
    for (const { status } of await Promise.all([another, ...streams])) expect(status).toBe(200);
  });
});

describe("a session that was last extended more than a day ago", () => {
  async function withOldSession(): Promise<User> {
    const user = await newUser();
    await query("UPDATE sessions SET expires = now() + interval '28 days' WHERE user_id = $1", [user.id]);
    return user;
  }

  const file = () =>
    new Response("a file", { status: 203, headers: { "content-type": "text/plain", "set-cookie": "theme=dark" } });

  it("sends its cookie again with every kind of response", async () => {
    const handlers = [
      route({ ...named, reply }, async () => NAME),
      route({ ...named, reply }, () => Promise.reject(new AppError("DUPLICATE"))),
      route({ ...named, produces: "text/plain" }, async () => file()),
      route(
        { ...named, reply },
        async () => NAME,
        async () => NAME,
      ),
    ];
    for (const handler of handlers) {
      const user = await withOldSession();
      const { headers } = await get(handler, { accept: "text/event-stream" }, user);
      const cookie = user.caller.cookie();
      expect(headers.getSetCookie()).toContainEqual(expect.stringMatching(new RegExp(`^${cookie}; Path=/; Expires=`)));
      expect((await get(handler, {}, user)).headers.getSetCookie().join()).not.toContain("session=");
    }
  });

  it("leaves the verb's file response unchanged", async () => {
    const handler = route({ ...named, produces: "text/plain" }, async () => file());
    const { status, headers, text } = await get(handler, {}, await withOldSession());
    expect([status, text, headers.get("content-type")]).toEqual([203, "a file", "text/plain"]);
    expect(headers.getSetCookie()).toEqual(["theme=dark", expect.stringMatching(/^session=/)]);
    const fresh = await get(handler, {}, await newUser());
    expect([fresh.status, fresh.text, fresh.headers.getSetCookie()]).toEqual([203, "a file", ["theme=dark"]]);
  });
});

describe("a verb that signs in or out", () => {
  const expires = new Date("2027-01-02T03:04:05Z");
  const isAlive = async (user: User) => (await user.caller.get("/api/user")).status === 200;
  const answerTo = (user: User | undefined, session: { token: string; expires: Date } | "ended" | undefined) => {
    const options = { ...(session ? { session } : {}), device: "known" };
    return get(
      route(anyone, async () => new Reply(NAME, options)),
      {},
      user,
    );
  };

  it("sets the cookies of the session and the device", async () => {
    const { headers } = await answerTo(undefined, { token: "new-one", expires });
    expect(headers.getSetCookie()).toEqual([
      "session=new-one; Path=/; Expires=Sat, 02 Jan 2027 03:04:05 GMT; HttpOnly; SameSite=Lax",
      expect.stringMatching(/^device=known; Path=\/; Max-Age=31536000; /),
    ]);
    expect((await answerTo(undefined, "ended")).headers.getSetCookie()[0]).toBe(
      "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
    );
    expect((await answerTo(undefined, undefined)).headers.getSetCookie()).toHaveLength(1);
  });

  it("ends the session that the new one replaces, and no other", async () => {
    const [one, other] = [await newUser(), await newUser()];
    await answerTo(one, "ended");
    await answerTo(one, undefined);
    expect(await isAlive(one)).toBe(true);
    await answerTo(one, { token: "new-one", expires });
    expect([await isAlive(one), await isAlive(other)]).toEqual([false, true]);
  });
});
