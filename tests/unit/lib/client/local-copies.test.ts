import "fake-indexeddb/auto";
import { COPY_DAYS, copiesOf, eraseCopies, openCopy, watchOrphans } from "@/lib/client/local-copies";

const copy = (value: unknown, at = Date.now()) => ({ at, label: "A piece", value });

afterEach(async () => {
  for (const user of ["maren", "other"]) await eraseCopies(await copiesOf(user));
  Reflect.deleteProperty(globalThis, "navigator");
});

/** The browser's Web Locks, as far as they are used here. */
function installLocks() {
  const last = new Map<string, Promise<unknown>>();
  const held = new Set<string>();
  const locks = {
    request(name: string, ...rest: unknown[]) {
      const work = rest.at(-1) as () => Promise<void>;
      const before = last.get(name) ?? Promise.resolve();
      const done = before.then(async () => {
        held.add(name);
        await work();
        held.delete(name);
      });
      if (!last.has(name)) held.add(name);
      last.set(name, done);
      return done;
    },
    query: async () => ({ held: [...held].map((name) => ({ name })) }),
  };
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { locks } });
  return locks;
}

/** What a page that is opened now finds at once. */
function orphanedCopies(user: string, subject: string) {
  return new Promise<{ value: unknown; key: string }[]>((resolve) => {
    const stop = watchOrphans(user, subject, (found) => {
      resolve(found);
      setTimeout(() => stop());
    });
  });
}

it("finds what a page has left, for its user and its subject alone", async () => {
  installLocks();
  const page = openCopy("maren", "piece-1");
  expect(await page.write(copy("first"))).toBe(true);
  expect(await page.write(copy("second"))).toBe(true);
  expect(await orphanedCopies("maren", "piece-1")).toEqual([]);
  page.release();
  await Promise.resolve();
  expect(await orphanedCopies("maren", "piece-1")).toMatchObject([
    { value: "second", subject: "piece-1", label: "A piece" },
  ]);
  expect(await orphanedCopies("maren", "piece-2")).toEqual([]);
  expect(await orphanedCopies("other", "piece-1")).toEqual([]);
  expect(await copiesOf("maren")).toHaveLength(1);
});

it("finds what another page leaves later, as soon as that has ended", async () => {
  installLocks();
  let otherPage: typeof import("@/lib/client/local-copies") | undefined;
  await jest.isolateModulesAsync(async () => {
    otherPage = await import("@/lib/client/local-copies");
  });
  const theirs = otherPage?.openCopy("maren", "piece-1");
  await theirs?.write(copy("theirs"));
  const found: unknown[][] = [];
  const untilSeen = async (times: number) => {
    for (let tries = 0; found.length < times && tries < 400; tries++)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const stop = watchOrphans("maren", "piece-1", (copies) => found.push(copies.map(({ value }) => value)));
  await untilSeen(1);
  expect(found).toEqual([[]]);
  theirs?.release();
  await untilSeen(2);
  expect(found).toEqual([[], ["theirs"]]);
  stop();
});

it("has nothing of what was erased", async () => {
  const page = openCopy("maren", "piece-1");
  await page.write(copy("first"));
  await page.write(null);
  expect(await copiesOf("maren")).toEqual([]);
});

it("keeps the copies of two pages apart, the newest first", async () => {
  const [one, other] = [openCopy("maren", "piece-1"), openCopy("maren", "piece-1")];
  await one.write(copy("one", Date.now() - 1_000));
  await other.write(copy("other"));
  const found = await orphanedCopies("maren", "piece-1");
  expect(found.map(({ value }) => value)).toEqual(["other", "one"]);
  await eraseCopies(found.slice(0, 1));
  expect((await orphanedCopies("maren", "piece-1")).map(({ value }) => value)).toEqual(["one"]);
});

it("writes in order, even if nobody waits", async () => {
  const page = openCopy("maren", "piece-1");
  const last = ["a", "b", "c"].map((value) => page.write(copy(value))).at(-1);
  await last;
  expect((await copiesOf("maren")).map(({ value }) => value)).toEqual(["c"]);
});

it("removes copies of any account after sixty days", async () => {
  await openCopy("other", "piece-1").write(copy("old", Date.now() - COPY_DAYS * 86_400_000 - 1));
  await openCopy("other", "piece-2").write(copy("newer", Date.now() - COPY_DAYS * 86_400_000 + 60_000));
  await orphanedCopies("maren", "piece-1");
  expect((await copiesOf("other")).map(({ value }) => value)).toEqual(["newer"]);
});

it("says so when the browser stores nothing, and goes on", async () => {
  const open = jest.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("Blocked", "SecurityError");
  });
  const spied = jest.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("Full", "QuotaExceededError");
  });
  const page = openCopy("maren", "piece-1");
  expect(await page.write(copy("lost"))).toBe(false);
  expect(await copiesOf("maren")).toEqual([]);
  open.mockRestore();
  spied.mockRestore();
  expect(await page.write(copy("kept"))).toBe(true);
  expect(await copiesOf("maren")).toHaveLength(1);
});
