import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { encodeEntities } from "@/lib/wordpress/entities";
import { hasCode } from "@/lib/wordpress/failures";
import { type createRequester, unexpectedAnswer } from "@/lib/wordpress/request";
import { category, createdPost, termExists, type WordPressCategory } from "@/lib/wordpress/schema";

/** As WordPress stores it, with `&` as `&amp;`. */
const MAX_STORED_NAME = 200;
const PAGE_SIZE = 100;
/** 10,000 categories: more is a mistake of the site, not a list to choose from. */
const MAX_PAGES = 100;

export function categoryCalls(request: ReturnType<typeof createRequester>) {
  return { listCategories, ensureCategory };

  /** All categories of the site, ordered by name. */
  async function listCategories(): Promise<WordPressCategory[]> {
    return allPages({});
  }

  /**
   * The id of the category of this name, created if there is none; whatever its case, as WordPress sees it. An account that may
   * not create categories gets an existing one. Throws VALIDATION_ERROR, before anything is sent, for a blank or too long name.
   */
  async function ensureCategory(name: string): Promise<number> {
    const wanted = name.trim().replace(/\s+/g, " ");
    if (wanted === "") throw invalidName("The category needs a name.");
    if ([...encodeEntities(wanted)].length > MAX_STORED_NAME) throw invalidName(TOO_LONG);
    try {
      const reply = await request({ path: "wp/v2/categories", query: { _fields: "id" }, body: { name: wanted } });
      const created = createdPost.safeParse(reply.json);
      if (reply.status !== 201 || !created.success) throw unexpectedAnswer(true);
      return created.data.id;
    } catch (error) {
      if (hasCode(error, "term_exists")) {
        const existing = termExists.safeParse(error.answer.data);
        if (existing.success) return existing.data.term_id;
      }
      if (!hasCode(error, "rest_cannot_create") || error.answer.status !== 403) throw error;
      const existing = await findCategory(wanted);
      if (!existing) throw error;
      return existing.id;
    }
  }

  /** WordPress searches in the stored form. */
  async function findCategory(name: string): Promise<WordPressCategory | undefined> {
    const key = name.toLowerCase();
    const found = await allPages({ search: encodeEntities(name) });
    return found.find((each) => each.name.toLowerCase() === key);
  }

  async function allPages(filter: { search?: string }): Promise<WordPressCategory[]> {
    const all: WordPressCategory[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const query = { ...filter, per_page: PAGE_SIZE, page, orderby: "name", _fields: "id,name" };
      const reply = await request({ path: "wp/v2/categories", query });
      const found = z.array(category).safeParse(reply.json);
      if (!found.success) throw unexpectedAnswer(false);
      all.push(...found.data);
      const pages = Number(reply.headers.get("x-wp-totalpages"));
      if (pages ? page >= pages : found.data.length < PAGE_SIZE) break;
    }
    return all;
  }
}

const TOO_LONG = `WordPress keeps at most ${MAX_STORED_NAME} characters of a category's name: shorten it.`;

function invalidName(message: string): AppError {
  return new AppError("VALIDATION_ERROR", { message, fields: { categoryName: [message] } });
}
