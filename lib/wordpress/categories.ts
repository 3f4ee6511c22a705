import "server-only";
import { z } from "zod";
import { AppError, isAppError } from "@/lib/errors";
import { comparisonKey } from "@/lib/utils/text";
import { encodeEntities } from "@/lib/wordpress/entities";
import { hasCode, WordPressWriteError } from "@/lib/wordpress/failures";
import { type Requester, unexpectedAnswer } from "@/lib/wordpress/request";
import {
  category,
  createdCategory,
  LIST_MAX,
  type PlacedCategory,
  placedCategory,
  type WordPressCategory,
} from "@/lib/wordpress/schema";

/** The limit of a name as stored, with `&` as `&amp;`. */
const MAX_STORED_NAME = 200;
const PAGE_SIZE = 100;
const FIELDS = "id,name,parent,count";
/** 10,000 categories are more than a user chooses from, also where a site sends more on a page than it was asked for. */
const MAX_PAGES = 100;

export function categoryCalls(request: Requester) {
  return { listCategories, readCategory, findCategories, ensureCategory };

  /** Returns the categories ordered by name. */
  async function listCategories(): Promise<PlacedCategory[]> {
    return allPages(placedCategory, {});
  }

  /** The categories with this name in any case, whatever they are below: those at the top first, then by age. */
  async function findCategories(name: string): Promise<PlacedCategory[]> {
    const key = comparisonKey(name);
    if (key === "") return [];
    // WordPress searches the stored form.
    const found = await allPages(placedCategory, { search: encodeEntities(name.trim().replace(/\s+/g, " ")) });
    return found
      .filter((each) => comparisonKey(each.name) === key)
      .sort((one, other) => Number(one.parent !== 0) - Number(other.parent !== 0) || one.id - other.id);
  }

  /** Returns null when the site has none: WordPress silently drops unknown ids from a post. */
  async function readCategory(id: number): Promise<WordPressCategory | null> {
    try {
      const reply = await request({ path: `wp/v2/categories/${id}`, query: { _fields: "id,name" } });
      const found = reply.read(category);
      if (!found.success || found.data.id !== id) throw unexpectedAnswer(false);
      return found.data;
    } catch (error) {
      if (hasCode(error, "rest_term_invalid")) return null;
      throw error;
    }
  }

  /**
   * The id of the category with this name in any case, created if missing. An account that may not create categories
   * gets an existing one. A creation without an answer is looked for, and tried once more: WordPress refuses a name that
   * it has. Throws VALIDATION_ERROR for a blank or too long name.
   */
  async function ensureCategory(name: string): Promise<number> {
    const wanted = name.trim().replace(/\s+/g, " ");
    if (wanted === "") throw invalidName("The category needs a name.");
    if ([...encodeEntities(wanted)].length > MAX_STORED_NAME) throw invalidName(TOO_LONG);
    try {
      return await createCategory(wanted);
    } catch (error) {
      if (!(error instanceof WordPressWriteError) || error.outcome !== "unknown") throw error;
      // If the look-up fails too, the failure of the write says more.
      const [existing] = await findCategories(wanted).catch(() => Promise.reject(error));
      return existing ? existing.id : createCategory(wanted);
    }
  }

  async function createCategory(wanted: string): Promise<number> {
    try {
      const query = { _fields: FIELDS };
      const reply = await request({ path: "wp/v2/categories", query, body: { name: wanted } });
      const created = reply.read(createdCategory);
      if (reply.status !== 201 || !created.success) throw unexpectedAnswer(true);
      return await oldestDuplicate(created.data);
    } catch (error) {
      if (hasCode(error, "term_exists") && error.answer.termId) return oldestNamed(wanted, error.answer.termId);
      if (!hasCode(error, "rest_cannot_create") || error.answer.status !== 403) throw error;
      const [existing] = await findCategories(wanted);
      if (!existing) throw error;
      return existing.id;
    }
  }

  /**
   * The refusal may name a duplicate that the request which created it is about to delete. Both are new then, so the
   * newest hundred are enough.
   */
  async function oldestNamed(name: string, refusedFor: number): Promise<number> {
    const query = { search: encodeEntities(name), per_page: PAGE_SIZE, orderby: "id", order: "desc", _fields: FIELDS };
    const found = await request({ path: "wp/v2/categories", query }).then(
      ({ read }) => read(z.array(createdCategory).max(LIST_MAX)).data ?? [],
      nothingOnFailure,
    );
    const key = name.toLowerCase();
    const duplicates = found.filter((each) => each.name.toLowerCase() === key && each.parent === 0);
    return Math.min(refusedFor, ...duplicates.map(({ id }) => id));
  }

  /**
   * Concurrent requests can create the same category twice (9 of 100 with six at once). Uses the oldest and deletes
   * ours while it is empty.
   */
  async function oldestDuplicate(created: z.infer<typeof createdCategory>): Promise<number> {
    const search = encodeEntities(created.name);
    const found = await allPages(createdCategory, { search }).catch(nothingOnFailure);
    const duplicates = found.filter(({ name, parent }) => name === created.name && parent === created.parent);
    const oldest = Math.min(created.id, ...duplicates.map(({ id }) => id));
    if (oldest !== created.id && duplicates.some(({ id, count }) => id === created.id && count === 0)) {
      const path = `wp/v2/categories/${created.id}`;
      await request({ remove: true, path, query: { force: "true" } }).catch(nothingOnFailure);
    }
    return oldest;
  }

  async function allPages<Shape extends z.ZodType>(
    shape: Shape,
    filter: { search?: string },
  ): Promise<z.infer<Shape>[]> {
    const all: z.infer<Shape>[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const query = { ...filter, per_page: PAGE_SIZE, page, orderby: "name", _fields: FIELDS };
      const reply = await request({ path: "wp/v2/categories", query });
      const found = reply.read(z.array(shape).max(LIST_MAX));
      if (!found.success) throw unexpectedAnswer(false);
      all.push(...found.data);
      if (all.length >= PAGE_SIZE * MAX_PAGES) break;
      const pages = Number(reply.headers.get("x-wp-totalpages"));
      if (pages ? page >= pages : found.data.length < PAGE_SIZE) break;
    }
    return all;
  }
}

/** The category exists either way: cleaning up may fail. */
function nothingOnFailure(error: unknown): never[] {
  if (!isAppError(error)) throw error;
  return [];
}

const TOO_LONG = `WordPress keeps at most ${MAX_STORED_NAME} characters of a category's name: shorten it.`;

function invalidName(message: string): AppError {
  return new AppError("VALIDATION_ERROR", { message, fields: { categoryName: [message] } });
}
