import { matchQuery, type Query, type QueryClient, type QueryKey } from "@tanstack/react-query";

/**
 * What the server is being asked for, as it shows in everything the cache holds under a key, or under exactly this one. It
 * has to be pure.
 */
export type Change = { queryKey: QueryKey; exact?: boolean; apply: (data: never) => unknown };

export function change<T>(queryKey: QueryKey, apply: (data: T) => T): Change {
  return { queryKey, apply };
}

export type Shown = {
  /** The server did it: it stays as it shows, until the lists are fetched again. */
  keep: () => void;
  /** The server refused: these changes go, and nothing else that changed since. */
  takeBack: () => void;
};

/**
 * Shows changes before the server has answered, for the `onMutate` of a small write that can be taken back on the screen.
 * What shows is always what was fetched last with all the changes on it that still wait for their answer. So nothing has to
 * be cancelled: a fetch that is under way comes in beneath them, and neither puts back what was deleted nor is lost. And
 * one change is taken back by drawing the others anew, which leaves them alone.
 */
export function showAtOnce(client: QueryClient, changes: Change[]): Shown {
  const stack = stackOf(client);
  const queries = () =>
    client.getQueryCache().findAll({ predicate: (query) => changes.some((one) => isIn(one, query)) });
  for (const one of changes) stack.waiting.add(one);
  for (const query of queries()) draw(stack, query);

  function end(settle: (query: Query) => void) {
    const touched = queries();
    for (const query of touched) settle(query);
    for (const one of changes) stack.waiting.delete(one);
    for (const query of touched) draw(stack, query);
  }

  return {
    keep: () =>
      end((query) => {
        const layer = stack.layers.get(query);
        const own = changes.filter((one) => isIn(one, query));
        if (layer) layer.fetched = applied(own, layer.fetched);
      }),
    takeBack: () => end(() => undefined),
  };
}

type Pages = { pages: unknown[] };
type Layer = { fetched: unknown; drawn: unknown };
type Stack = { waiting: Set<Change>; layers: WeakMap<Query, Layer> };

const stacks = new WeakMap<QueryClient, Stack>();

function stackOf(client: QueryClient): Stack {
  const known = stacks.get(client);
  if (known) return known;
  const stack: Stack = { waiting: new Set(), layers: new WeakMap() };
  stacks.set(client, stack);
  client.getQueryCache().subscribe(({ type, query }) => {
    // Anything but what was drawn here was fetched.
    const isFetched = type === "updated" && query.state.data !== stack.layers.get(query)?.drawn;
    if (isFetched && stack.waiting.size > 0) draw(stack, query);
  });
  return stack;
}

/** Puts what waits on top of what was fetched. */
function draw({ waiting, layers }: Stack, query: Query): void {
  const own = [...waiting].filter((one) => isIn(one, query));
  const layer = layers.get(query);
  const { data } = query.state;
  if (data === undefined || (own.length === 0 && !layer)) return;
  const fetched = layer?.drawn === data ? layer.fetched : fetchedOf(query, layer);
  const drawn = applied(own, fetched);
  if (own.length === 0) layers.delete(query);
  else layers.set(query, { fetched, drawn });
  // Not setQueryData: the list does not become fresher by this than it was.
  if (drawn !== data) query.setState({ data: drawn });
}

/** What a fetch brought. The next page of a list was put after the pages that showed: it belongs after the fetched ones. */
function fetchedOf({ state: { data, fetchMeta } }: Query, before: Layer | undefined): unknown {
  if (!before || !fetchMeta?.fetchMore) return data;
  const { pages } = before.fetched as Pages;
  return { ...(data as Pages), pages: [...pages, ...(data as Pages).pages.slice(pages.length)] };
}

function applied(changes: Change[], data: unknown): unknown {
  return changes.reduce((now, { apply }) => apply(now as never), data);
}

function isIn({ queryKey, exact }: Change, query: Query): boolean {
  return matchQuery({ queryKey, exact }, query);
}
