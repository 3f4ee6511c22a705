import "server-only";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "@/lib/auth/actor";
import { Prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { selectTopicCategories } from "@/lib/features/content/sql/shared";
import { isSameName } from "@/lib/features/publishing/rules";
import type { ListCategoriesQuery, PublishInput } from "@/lib/features/publishing/schema";
import { hashOf } from "@/lib/features/publishing/writes/identity";
import type { LeasedPiece } from "@/lib/features/publishing/writes/lease";
import { type Ends, lookAtSite, type Site } from "@/lib/features/sites/writes/connect";
import { acquire, release } from "@/lib/lease/lease";
import { MAX_LIST_BYTES } from "@/lib/limits/bounds";
import { whileAway } from "@/lib/limits/place";
import { bounded } from "@/lib/utils/bounded";
import { cursorPage, parsePosition } from "@/lib/utils/cursor-page";
import { comparisonKey } from "@/lib/utils/text";

/** `isOneOfSeveral`: the site has others of this name, and nobody has said which one is meant. */
export type Category = { id: number; name: string; isOneOfSeveral?: boolean };

/** Categories of a site; each is looked up once. */
export type Categories = {
  readCategory: Site["client"]["readCategory"];
  categoryNamed: (name: string) => Promise<Category>;
  /** What the topic's pieces have on the site. */
  categoriesOfTopic: (topicId: number) => Promise<{ id: string; name: string | null }[]>;
};

export function cachedCategories(
  { id, client }: Pick<Site, "id" | "client">,
  actor: Actor,
  { alone = oneProcessAtATime }: { alone?: typeof oneProcessAtATime } = {},
): Categories {
  const create = (name: string) => {
    const key = `${id} ${comparisonKey(name)}`;
    return shared(key, () => alone(actor, key, () => client.ensureCategory(name)));
  };
  /** At any depth; made at the top if there is none. */
  async function categoryNamed(name: string): Promise<Category> {
    const [first, ...others] = await client.findCategories(name);
    if (!first) return { id: await create(name), name };
    return { id: first.id, name: first.name, isOneOfSeveral: others.length > 0 };
  }
  return {
    readCategory: memoize(client.readCategory),
    categoryNamed: memoize(categoryNamed),
    categoriesOfTopic: memoize((topicId) => selectTopicCategories(actor.userId, { siteId: id, topicId })),
  };
}

/** The creations of this process, by site and name. */
const underWay = bounded<string, Promise<number>>(
  "categories being made",
  10_000,
  "More than the app's places and jobs make at once. Beyond it a publish fails before it asks the site.",
);

function shared(key: string, create: () => Promise<number>): Promise<number> {
  const known = underWay.get(key);
  if (known) return whileAway(() => known);
  underWay.makeRoom();
  const creating = create().finally(() => underWay.delete(key));
  underWay.set(key, creating);
  return creating;
}

/**
 * Two creations that WordPress works on in the same moment can make two categories, so the app's processes take limits. After a
 * process died, the next one waits for the end of its lease.
 */
async function oneProcessAtATime(actor: Actor, key: string, create: () => Promise<number>): Promise<number> {
  const lease = { kind: "category", subject: hashOf(key), token: randomUUID() } as const;
  const owned = Prisma.sql`SELECT ${lease.subject}, ${actor.userId}::uuid, NULL::uuid, NULL::uuid`;
  while (!(await acquire("category", owned, lease.token))) await whileAway(() => sleep(LOOK_MS));
  try {
    return await create();
  } finally {
    await release(lease);
  }
}

/** How often another process's creation is looked at. */
const LOOK_MS = 100;

function memoize<Key, Answer>(ask: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const asked = new Map<Key, Promise<Answer>>();
  return (key) => {
    const known = asked.get(key);
    if (known) return known;
    const asking = ask(key);
    asked.set(key, asking);
    // A failed look-up is tried again by the next piece.
    asking.catch(() => asked.delete(key));
    return asking;
  };
}

/**
 * The given id, else the given name, else the piece's category on this site, else its topic's: the chosen one, `ofTopic`, else
 * what the topic's pieces have, else by name. An id counts only if the site has it under the name sent with it, or `ofTopic`
 * under the topic's: it may have been chosen from another site's list.
 */
export async function resolveCategory(
  categories: Categories,
  { piece, here }: LeasedPiece,
  { categoryId, categoryName, byTopic = false, ofTopic }: PublishInput & { ofTopic?: string | null | undefined },
): Promise<Category> {
  const { readCategory, categoryNamed } = categories;
  if (categoryId) {
    const found = await readCategory(Number(categoryId));
    if (found && (!categoryName || isSameName(found.name, categoryName))) return found;
    if (!categoryName)
      throw new AppError("VALIDATION_ERROR", { message: NO_SUCH_CATEGORY, fields: { categoryId: [NO_SUCH_CATEGORY] } });
  }
  if (categoryName) return categoryNamed(categoryName);
  // It is also null when the category was deleted on the site.
  const own = !byTopic && here.postId && here.categoryId ? await readCategory(Number(here.categoryId)) : null;
  return (
    own ??
    (await chosenCategory(categories, piece, ofTopic)) ??
    (await usedCategory(categories, piece, byTopic)) ??
    categoryNamed(piece.topic.name)
  );
}

async function chosenCategory(
  { readCategory }: Categories,
  { topic }: LeasedPiece["piece"],
  id: string | null | undefined,
): Promise<Category | null> {
  const found = id ? await readCategory(Number(id)) : null;
  return found && isSameName(found.name, topic.name) ? found : null;
}

/** What the topic's pieces have on this site, a category of the topic's name first; `byTopic`: no other one. */
async function usedCategory(
  { readCategory, categoriesOfTopic }: Categories,
  { topicId, topic }: LeasedPiece["piece"],
  byTopic: boolean,
): Promise<Category | null> {
  const used = await categoriesOfTopic(topicId);
  const isNamed = ({ name }: { name: string | null }) => name !== null && isSameName(name, topic.name);
  const others = byTopic ? [] : used.filter((each) => !isNamed(each));
  for (const { id } of [...used.filter(isNamed), ...others]) {
    const found = await readCategory(Number(id));
    if (found) return found;
  }
  return null;
}

const NO_SUCH_CATEGORY = "This category is not on your WordPress site. Choose another one.";

/** The categories of a site, by name. The cursor is a position: the site is read again for each page. */
export async function listCategories(actor: Actor, { siteId, cursor }: ListCategoriesQuery, ends: Ends = {}) {
  const { client } = await lookAtSite(actor, { siteId }, undefined, ends);
  const rows = (await client.listCategories()).map((category, index) => ({ ...category, position: index + 1 }));
  const after = parsePosition(cursor) ?? 0;
  const cursorOf = ({ position }: { position: number }) => String(position);
  return cursorPage(rows.slice(after), { maxBytes: MAX_LIST_BYTES, cursorOf });
}
