import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

export type StoredPost = {
  id: number;
  author: number;
  status: "draft" | "publish" | "pending" | "private" | "future" | "trash";
  slug: string;
  title: string;
  content: string;
  excerpt: string;
  /** Also of keys that no plugin registers any more. */
  meta?: Record<string, string>;
  categories: number[];
  /** True once its date is that of the first publication; a draft's date changes until then. */
  isDated: boolean;
  /** UTC without milliseconds or zone, as in WordPress. */
  date: string;
  modified: string;
  /** Its first address, which stays when the site moves. */
  guid: string;
};

/** `parent`: the category that it is below; without one it is at the top. */
export type StoredCategory = { id: number; name: string; slug: string; parent?: number };

export type Store = {
  posts: Map<number, StoredPost>;
  categories: Map<number, StoredCategory>;
  nextPostId(): number;
  nextCategoryId(): number;
  /** The current time as WordPress writes it. */
  now(): string;
  /** Writes the file, if there is one. */
  save(): void;
  /** Returns all of it, for another store. */
  copy(): Saved;
};

export type Saved = { posts: StoredPost[]; categories: StoredCategory[]; lastPostId: number; lastCategoryId: number };

const EMPTY: Saved = {
  posts: [],
  categories: [{ id: 1, name: "Uncategorized", slug: "uncategorized" }],
  lastPostId: 0,
  lastCategoryId: 1,
};

/** Posts and categories of a sample site, in memory or in a file that survives restarts. */
export function createStore(options: { dataFile?: string; initial?: Saved; clock: () => Date }): Store {
  const { dataFile, initial = EMPTY, clock } = options;
  const saved = dataFile && existsSync(dataFile) ? (JSON.parse(readFileSync(dataFile, "utf8")) as Saved) : initial;
  const posts = new Map(saved.posts.map((post) => [post.id, post]));
  const categories = new Map(saved.categories.map((category) => [category.id, category]));
  let { lastPostId, lastCategoryId } = saved;
  const state = (): Saved => ({
    posts: [...posts.values()],
    categories: [...categories.values()],
    lastPostId,
    lastCategoryId,
  });
  return {
    posts,
    categories,
    nextPostId: () => ++lastPostId,
    nextCategoryId: () => ++lastCategoryId,
    now: () => clock().toISOString().slice(0, 19),
    copy: () => structuredClone(state()),
    save() {
      if (!dataFile) return;
      // Renamed into place, so that a crash leaves the old file intact.
      writeFileSync(`${dataFile}.new`, JSON.stringify(state()));
      renameSync(`${dataFile}.new`, dataFile);
    },
  };
}
