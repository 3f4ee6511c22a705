import { InfiniteQueryObserver } from "@tanstack/react-query";
import { change, showAtOnce } from "@/lib/client/optimistic";
import { createQueryClient } from "@/lib/client/query-client";

const KEY = ["/api/letters"] as const;

const without = (letter: string) => change<string[]>(KEY, (letters) => letters.filter((each) => each !== letter));

function stored(letters: string[]) {
  const client = createQueryClient();
  client.setQueryData(KEY, letters);
  return { client, letters: () => client.getQueryData(KEY), state: () => client.getQueryState(KEY) };
}

it("shows a change at once and takes it back", () => {
  const { client, letters } = stored(["a", "b", "c"]);
  const { takeBack } = showAtOnce(client, [without("b")]);
  expect(letters()).toEqual(["a", "c"]);
  takeBack();
  expect(letters()).toEqual(["a", "b", "c"]);
});

it("takes one change back and leaves the others, whichever came first", () => {
  const { client, letters } = stored(["a", "b", "c"]);
  const first = showAtOnce(client, [without("a")]);
  const second = showAtOnce(client, [without("b")]);
  first.takeBack();
  expect(letters()).toEqual(["a", "c"]);
  second.keep();
  expect(letters()).toEqual(["a", "c"]);

  const third = showAtOnce(client, [without("c")]);
  const fourth = showAtOnce(client, [without("a")]);
  third.keep();
  fourth.takeBack();
  expect(letters()).toEqual(["a"]);
});

it("draws a change on what is fetched while it waits, and puts that back", () => {
  const { client, letters } = stored(["a", "b"]);
  const { takeBack } = showAtOnce(client, [without("b")]);
  client.setQueryData(KEY, ["a", "b", "from another tab"]);
  expect(letters()).toEqual(["a", "from another tab"]);
  takeBack();
  expect(letters()).toEqual(["a", "b", "from another tab"]);
});

it("draws a change on a list that was not there yet, and on no other", async () => {
  const client = createQueryClient();
  const { keep } = showAtOnce(client, [without("b")]);
  await client.fetchQuery({ queryKey: KEY, queryFn: async () => ["a", "b"] });
  await client.fetchQuery({ queryKey: ["/api/others"], queryFn: async () => ["b"] });
  expect(client.getQueryData(KEY)).toEqual(["a"]);
  expect(client.getQueryData(["/api/others"])).toEqual(["b"]);
  keep();
  expect(client.getQueryData(KEY)).toEqual(["a"]);
});

it("puts a row back that a page loaded meanwhile was put after", async () => {
  type Page = { items: string[] };
  const dropB = change<{ pages: Page[] }>(KEY, (data) => ({
    ...data,
    pages: data.pages.map(({ items }) => ({ items: items.filter((each) => each !== "b") })),
  }));
  const client = createQueryClient();
  const pages: Page[] = [{ items: ["a", "b"] }, { items: ["c"] }];
  const list = {
    queryKey: KEY,
    queryFn: async ({ pageParam }: { pageParam: number }) => pages[pageParam] as Page,
    initialPageParam: 0,
    getNextPageParam: (_last: Page, all: Page[]) => (all.length < 2 ? all.length : null),
  };
  await client.fetchInfiniteQuery(list);
  const items = () => client.getQueryData<{ pages: Page[] }>(KEY)?.pages.flatMap((page) => page.items);
  const { takeBack } = showAtOnce(client, [dropB]);
  await new InfiniteQueryObserver(client, list).fetchNextPage();
  expect(items()).toEqual(["a", "c"]);
  takeBack();
  expect(items()).toEqual(["a", "b", "c"]);
});

it("makes a list no fresher than it was", async () => {
  const { client, state } = stored(["a", "b"]);
  await client.invalidateQueries({ queryKey: KEY });
  const before = state()?.dataUpdatedAt;
  showAtOnce(client, [without("b")]).takeBack();
  expect(state()).toMatchObject({ isInvalidated: true, dataUpdatedAt: before });
});
