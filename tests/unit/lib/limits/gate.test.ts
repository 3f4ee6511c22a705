import { isAppError } from "@/lib/errors";
import { type Caller, createGate, type EnterOptions, type GateBounds, type Place } from "@/lib/limits/gate";

const ann: Caller = { key: "ann", width: 1 };
const ben: Caller = { key: "ben", width: 1 };
const cleo: Caller = { key: "cleo", width: 1 };

const BOUNDS: GateBounds = {
  places: 4,
  placesEach: 2,
  callsEach: 100,
  callsBesideOthers: 100,
  waitingEach: 3,
  waitingInAll: 100,
};

/** A gate, and what became of the calls that were named to it. */
function opened(bounds: Partial<GateBounds> = {}) {
  const gate = createGate({ ...BOUNDS, ...bounds });
  const places = new Map<string, Place>();
  const began: string[] = [];
  const refused = new Map<string, unknown>();

  async function call(caller: Caller, names: string[], options?: EnterOptions): Promise<void> {
    for (const name of names) {
      gate.enter(caller, options).then(
        (place) => {
          began.push(name);
          places.set(name, place);
        },
        (error: unknown) => refused.set(name, error),
      );
    }
    await settled();
  }

  async function end(...names: string[]): Promise<void> {
    for (const name of names) {
      places.get(name)?.leave();
      await settled();
    }
  }

  return { gate, began, refused, call, end, place: (name: string) => places.get(name) as Place };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

/** Work that ends when told. */
function pending<T = void>() {
  let end: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    end = resolve;
  });
  return { work: () => promise, end };
}

const EMPTY = { taken: 0, waiting: 0, callers: 0 };

describe("a caller", () => {
  it("has no more calls at work than its own places, however many are free", async () => {
    const { call, began } = opened();
    await call(ann, ["a1", "a2", "a3"]);
    await call(ben, ["b1"]);
    expect(began).toEqual(["a1", "a2", "b1"]);
  });

  it("has its turn once for each turn of everybody else's", async () => {
    const { call, end, began } = opened({ places: 1 });
    await call(ann, ["a1", "a2", "a3"]);
    await call(ben, ["b1", "b2"]);
    await call(cleo, ["c1"]);
    const inTurn = ["a1", "a2", "b1", "c1", "a3", "b2"];
    await end(...inTurn);
    expect(began).toEqual(inTurn);
  });

  it("is refused beyond its waiting calls, with a time to wait, while others are not", async () => {
    const { call, refused, began } = opened({ places: 2 });
    await call(ann, ["a1", "a2", "w1", "w2", "w3", "a6"]);
    await call(ben, ["b1"]);
    expect([...refused.keys()]).toEqual(["a6"]);
    expect(refused.get("a6")).toMatchObject({ type: "RATE_LIMITED", retryAfter: 1 });
    expect(began).toEqual(["a1", "a2"]);
  });

  it("that stands for ten has ten times the room, but for the places of one other caller", async () => {
    const { call, refused, began } = opened({ places: 10 });
    await call(
      { key: "strangers", width: 10 },
      Array.from({ length: 40 }, (_, at) => `s${at}`),
    );
    expect([began.length, refused.size]).toEqual([8, 2]);
    await call(ann, ["a1"]);
    expect(began.slice(8)).toEqual(["a1"]);
  });

  it("works on fewer calls beside others than alone", async () => {
    const { call, end, began } = opened({
      places: 20,
      placesEach: 8,
      callsEach: 4,
      callsBesideOthers: 2,
      waitingEach: 8,
    });
    await call(ben, ["b1"]);
    await call(ann, ["a1", "a2", "a3", "a4", "a5"]);
    expect(began).toEqual(["b1", "a1", "a2"]);
    await end("b1");
    expect(began).toEqual(["b1", "a1", "a2", "a3", "a4"]);
  });

  it("works on a search as on one call", async () => {
    const { call, place, began } = opened({ places: 20, placesEach: 8, callsEach: 4, callsBesideOthers: 2 });
    await call(ann, ["search"]);
    void place("search").onPlaces(4, pending().work);
    await call(ben, ["b1"]);
    await call(ann, ["a1", "a2"]);
    expect(began).toEqual(["search", "b1", "a1"]);
  });

  it("with most calls waiting gets SERVICE_UNAVAILABLE for the last of them when too many wait in all", async () => {
    const { call, refused } = opened({ places: 1, waitingInAll: 3 });
    await call(ben, ["b1", "b2"]);
    await call(ann, ["a1", "a2"]);
    await call(cleo, ["c1"]);
    expect([...refused.keys()]).toEqual(["a2"]);
    expect(refused.get("a2")).toMatchObject({ type: "SERVICE_UNAVAILABLE", retryAfter: 3 });
    await call(cleo, ["c2"]);
    expect([...refused.keys()]).toEqual(["a2", "c2"]);
  });

  it("works on more calls as soon as it is alone, though no place was given back", async () => {
    const { call, place, end, began } = opened({ places: 20, placesEach: 8, callsEach: 4, callsBesideOthers: 2 });
    await call(ben, ["b1"]);
    void place("b1").away(pending().work);
    await call(ann, ["a1", "a2", "a3"]);
    expect(began).toEqual(["b1", "a1", "a2"]);
    await end("b1");
    expect(began).toEqual(["b1", "a1", "a2", "a3"]);
  });

  it("can stop waiting", async () => {
    const { call, end, refused, began, gate } = opened({ places: 1 });
    const gone = new AbortController();
    await call(ann, ["a1"]);
    await call(ben, ["b1"], { signal: gone.signal });
    await call(ben, ["b2"]);
    gone.abort("gone");
    await settled();
    expect(refused.get("b1")).toBe("gone");
    await end("a1", "b2");
    expect(began).toEqual(["a1", "b2"]);
    expect(gate.counts()).toEqual(EMPTY);
  });
});

describe("prefetches", () => {
  it("wait until nothing else does", async () => {
    const { call, end, began } = opened({ places: 1 });
    await call(ann, ["a1"]);
    await call(ann, ["prefetch"], { isPrefetch: true });
    await call(ann, ["a2"]);
    await call(ben, ["b1"]);
    await end("a1", "a2", "b1", "prefetch");
    expect(began).toEqual(["a1", "a2", "b1", "prefetch"]);
  });

  it("make way, the last first, when a caller's calls are too many", async () => {
    const { call, refused } = opened({ places: 1 });
    await call(ann, ["a1", "a2"]);
    await call(ann, ["p1", "p2", "p3"], { isPrefetch: true });
    expect([...refused.keys()]).toEqual(["p3"]);
    await call(ann, ["a3"]);
    expect([...refused.keys()]).toEqual(["p3", "p2"]);
    await call(ann, ["a4", "a5"]);
    expect(new Set(refused.keys())).toEqual(new Set(["p3", "p2", "p1", "a5"]));
  });
});

describe("a call that waits for somebody else", () => {
  it("gives its place back, and takes one again before its caller's new calls begin", async () => {
    const { call, place, end, began } = opened({ places: 1 });
    const provider = pending<string>();
    await call(ann, ["a1"]);
    const answer = place("a1").away(provider.work);
    await call(ben, ["b1"]);
    await call(ann, ["a2"]);
    expect(began).toEqual(["a1", "b1"]);
    provider.end("text");
    await settled();
    const seen: string[] = [];
    void answer.then((text) => seen.push(text));
    await settled();
    expect(seen).toEqual([]);
    await end("b1");
    expect(seen).toEqual(["text"]);
    expect(began).toEqual(["a1", "b1"]);
    await end("a1");
    expect(began).toEqual(["a1", "b1", "a2"]);
  });

  it("still counts as one of its caller's", async () => {
    const { call, place, refused } = opened();
    for (const name of ["a1", "a2", "a3"]) {
      await call(ann, [name]);
      void place(name).away(pending().work);
    }
    await call(ann, ["a4", "a5", "a6"]);
    expect([...refused.keys()]).toEqual(["a6"]);
  });

  it("comes back beside calls of its caller that wait for it", async () => {
    const { call, place, gate } = opened({ places: 20, placesEach: 8, callsEach: 4, callsBesideOthers: 2 });
    const site = pending();
    await call(ben, ["b1"]);
    await call(ann, ["a1"]);
    const back = place("a1").away(site.work);
    await call(ann, ["a2", "a3"]);
    site.end();
    await back;
    expect(gate.counts().taken).toBe(4);
  });

  it("has its place again when the work fails", async () => {
    const { call, place, end, gate } = opened();
    await call(ann, ["a1"]);
    await expect(place("a1").away(() => Promise.reject(new Error("down")))).rejects.toThrow("down");
    expect(gate.counts().taken).toBe(1);
    await end("a1");
    expect(gate.counts()).toEqual(EMPTY);
  });

  it("needs one place for all its parts that come back at once", async () => {
    const { call, place, end, gate } = opened();
    const [first, second] = [pending(), pending()];
    await call(ann, ["a1"]);
    const parts = Promise.all([place("a1").away(first.work), place("a1").away(second.work)]);
    await settled();
    expect(gate.counts().taken).toBe(0);
    first.end();
    second.end();
    await parts;
    expect(gate.counts().taken).toBe(1);
    await end("a1");
    expect(gate.counts()).toEqual(EMPTY);
  });

  it("leaves nothing behind if it ends before it has its place again", async () => {
    const { call, place, end, gate } = opened({ places: 1 });
    const [whileAway, whileWaiting] = [pending(), pending()];
    await call(ann, ["a1"]);
    void place("a1").away(whileAway.work);
    await end("a1");
    whileAway.end();
    await call(ann, ["a2"]);
    void place("a2").away(whileWaiting.work);
    await call(ben, ["b1"]);
    whileWaiting.end();
    await settled();
    await end("a2", "b1");
    expect(gate.counts()).toEqual(EMPTY);
  });
});

describe("work that counts as several calls", () => {
  it("runs as often at once as its caller has places for", async () => {
    const { call, place, end, gate } = opened({ places: 20, placesEach: 8, waitingEach: 32 });
    const searches = [pending(), pending(), pending()];
    const names = ["a1", "a2", "a3"];
    await call(ann, names);
    const begun: string[] = [];
    const done = names.map((name, at) =>
      place(name).onPlaces(4, () => {
        begun.push(name);
        return searches[at]?.work() ?? Promise.resolve();
      }),
    );
    await settled();
    expect([begun, gate.counts().taken]).toEqual([["a1", "a2"], 8]);
    searches[0]?.end();
    await settled();
    expect(begun).toEqual(names);
    for (const { end } of searches) end();
    await Promise.all(done);
    await end(...names);
    expect(gate.counts()).toEqual(EMPTY);
  });

  it("is not overtaken for ever by small calls", async () => {
    const { call, place, end } = opened({ placesEach: 4 });
    await call(ann, ["a1"]);
    await call(ben, ["b1", "b2", "b3"]);
    let isRunning = false;
    const search = pending();
    const done = place("a1").onPlaces(4, () => {
      isRunning = true;
      return search.work();
    });
    await call(cleo, ["c1", "c2"]);
    await end("b1", "b2", "b3");
    expect(isRunning).toBe(true);
    search.end();
    await settled();
    await end("c1", "c2");
    await done;
  });
});

it("keeps its bounds, serves everybody and forgets them, whatever happens in which order", async () => {
  for (let seed = 1; seed <= 25; seed++) {
    let state = seed;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const { gate, call, place, end, began, refused } = opened({ places: 3, waitingEach: 2 });
    const [names, away]: [string[], (() => void)[]] = [[], []];
    for (let step = 0; step < 60; step++) {
      const name = `call ${step}`;
      const some = began[random(Math.max(1, began.length))];
      const event = ["end", "away", "search", "back", "enter", "enter"][some ? random(6) : 4];
      const outside = pending();
      if (event === "away" || event === "search") away.push(outside.end);
      if (event === "end") await end(some as string);
      else if (event === "away") void place(some as string).away(outside.work);
      else if (event === "search") void place(some as string).onPlaces(2, outside.work);
      else if (event === "back") away.splice(0, 1)[0]?.();
      else {
        names.push(name);
        await call([ann, ben, cleo][random(3)] as Caller, [name], { isPrefetch: random(3) === 0 });
      }
      await settled();
      expect(gate.counts().taken).toBeLessThanOrEqual(3);
    }
    for (const back of away) back();
    for (let at = 0; at < began.length; at++) await end(began[at] as string);
    expect([gate.counts(), began.length + refused.size]).toEqual([EMPTY, names.length]);
    for (const error of refused.values()) expect(isAppError(error, "RATE_LIMITED")).toBe(true);
  }
});
