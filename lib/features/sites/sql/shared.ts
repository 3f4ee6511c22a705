import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { siteOfProjectSql } from "@/lib/features/projects/sql/shared";
import type { PostStatus } from "@/lib/features/sites/states";
import type { MetaField } from "@/lib/wordpress/meta";

/** What other features use of sites and of what is known of posts there: parts of their statements, and writes inside their transactions. */

/** SQL value: the id of the user's default site. */
export function defaultSiteIdSql(userId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT s.id FROM sites s WHERE s.user_id = ${userId} AND s.is_default)`;
}

/** SQL value: the id of the site of what is in a project; null until there is one. */
export function siteIdSql(projectId: Prisma.Sql, userId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce(${siteOfProjectSql(projectId)}, ${defaultSiteIdSql(userId)})`;
}

/** SQL value: the id of the site of a piece `p`. */
export const SITE_OF_PIECE = siteIdSql(Prisma.sql`p.project_id`, Prisma.sql`p.user_id`);

/** A site's URL, the REST root found there, and its place; null when unset or not yet found. */
export type SiteAddress = { siteUrl: string | null; siteRoot: string | null; sitePlace: string | null };

/** SQL: what a piece `p` has on its site, and where that is, from `joinPostHere`; `hasPosts`: it has a post on some site. */
export const POST_HERE = Prisma.sql`w.post_id AS "wpPostId", w.permalink AS "wpPermalink",
  w.site_status AS "wpPostStatus", w.site_date AS "wpPostDate", w.category_id AS "wpCategoryId",
  w.category_name AS "wpCategoryName", w.publish_error AS "publishError", w.last_synced_at AS "lastSyncedAt",
  st.url AS "siteUrl", st.api_root AS "siteRoot", st.place AS "sitePlace",
  EXISTS (SELECT 1 FROM piece_posts o WHERE o.content_piece_id = p.id AND o.post_id IS NOT NULL) AS "hasPosts"`;

export function joinPostHere(userId: string): Prisma.Sql {
  const siteId = siteIdSql(Prisma.sql`p.project_id`, Prisma.sql`${userId}::uuid`);
  return Prisma.sql`LEFT JOIN sites st ON st.id = ${siteId}
    LEFT JOIN piece_posts w ON w.content_piece_id = p.id AND w.site_id = st.id`;
}

/** The columns of POST_HERE. */
export type PostHere = SiteAddress & {
  wpPostId: string | null;
  wpPermalink: string | null;
  wpPostStatus: string | null;
  wpPostDate: Date | null;
  wpCategoryId: string | null;
  wpCategoryName: string | null;
  publishError: string | null;
  lastSyncedAt: Date | null;
  hasPosts: boolean;
};

/** What a post was given beside its title and text. */
export type SentFields = Partial<Record<"slug" | "excerpt" | MetaField, string>>;

/** What is known of a piece's post on a site; `status` becomes the piece's while that is its site. */
export type KnownPost = {
  postId: string | null;
  unansweredSince: Date | null;
  unansweredHashes: string[];
  status: PostStatus;
  permalink: string | null;
  siteStatus: string | null;
  siteDate: Date | null;
  modifiedGmt: string | null;
  slug: string | null;
  guid: string | null;
  dateGmt: string | null;
  categoryId: string | null;
  categoryName: string | null;
  remoteHash: string | null;
  sentHash: string | null;
  sentSource: string | null;
  sentVersion: number | null;
  sentFields: SentFields | null;
  renderer: number | null;
  publishError: string | null;
  lastSyncedAt: Date | null;
};

const COLUMNS = {
  postId: ["post_id", "text"],
  unansweredSince: ["unanswered_since", "timestamptz"],
  unansweredHashes: ["unanswered_hashes", "text[]"],
  status: ["status", "content_status"],
  permalink: ["permalink", "text"],
  siteStatus: ["site_status", "text"],
  siteDate: ["site_date", "timestamptz"],
  modifiedGmt: ["modified_gmt", "text"],
  slug: ["slug", "text"],
  guid: ["guid", "text"],
  dateGmt: ["date_gmt", "text"],
  categoryId: ["category_id", "text"],
  categoryName: ["category_name", "text"],
  remoteHash: ["remote_hash", "text"],
  sentHash: ["sent_hash", "text"],
  sentSource: ["sent_source", "text"],
  sentVersion: ["sent_version", "int"],
  sentFields: ["sent_fields", "jsonb"],
  renderer: ["renderer", "int"],
  publishError: ["publish_error", "text"],
  lastSyncedAt: ["last_synced_at", "timestamptz"],
} as const satisfies Record<keyof KnownPost, readonly [string, string]>;

/** What was learnt of the post of the piece `id`. */
export type PostChange = { id: string; change: Partial<KnownPost> };

/** Saves what was learnt of pieces' posts on a site. */
export async function savePosts(db: Pick<Db, "$executeRaw">, siteId: string, changes: PostChange[]): Promise<void> {
  for (const group of groupsByFields(changes)) {
    const fields = Object.keys(group[0]?.change ?? {}) as (keyof KnownPost)[];
    const columns = fields.map((field) => Prisma.raw(COLUMNS[field][0]));
    const typed = fields.map((field) => Prisma.raw(`"${field}" ${COLUMNS[field][1]}`));
    const values = fields.map((field) => Prisma.raw(`x."${field}"`));
    const updates = columns.map((column) => Prisma.sql`${column} = excluded.${column}`);
    const given = JSON.stringify(group.map(({ id, change }) => ({ id, ...change })));
    await db.$executeRaw(Prisma.sql`
      INSERT INTO piece_posts (${Prisma.join([Prisma.raw("content_piece_id"), Prisma.raw("site_id"), ...columns])})
      SELECT ${Prisma.join([Prisma.sql`x.id`, Prisma.sql`${siteId}::uuid`, ...values])}
      FROM jsonb_to_recordset(${given}::jsonb) AS x (${Prisma.join([Prisma.raw("id uuid"), ...typed])})
      ON CONFLICT (content_piece_id, site_id) DO UPDATE SET ${Prisma.join(updates)}`);
  }
}

/** Changes that set the same fields are saved together. */
function groupsByFields(changes: PostChange[]): PostChange[][] {
  const groups = new Map<string, PostChange[]>();
  for (const { id, change } of changes) {
    const fields = Object.keys(change).sort() as (keyof KnownPost)[];
    if (fields.length === 0) continue;
    const ordered = Object.fromEntries(fields.map((field) => [field, change[field]]));
    groups.set(fields.join(), [...(groups.get(fields.join()) ?? []), { id, change: ordered }]);
  }
  return [...groups.values()];
}

/** Remembers which fields for SEO plugins the site's latest answer has shown. */
export async function saveAcceptedFields(
  db: Pick<Db, "$executeRaw">,
  siteId: string,
  fields: readonly MetaField[],
): Promise<void> {
  const accepted = Prisma.sql`${JSON.stringify(fields)}::jsonb`;
  await db.$executeRaw(Prisma.sql`
    UPDATE sites SET accepted_fields = ${accepted} WHERE id = ${siteId}::uuid AND accepted_fields IS DISTINCT FROM ${accepted}`);
}

/** SQL value: a field of a piece if the site `st` accepts it; null if it does not, or if it is empty. */
export function acceptedSql(field: MetaField, value: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`CASE WHEN coalesce(st.accepted_fields, '[]') @> to_jsonb(${field}::text) THEN nullif(${value}, '') END`;
}

/** SQL condition: the answers of the site `st` have shown none of them. False before the first answer. */
export const ACCEPTS_NO_FIELDS = Prisma.sql`coalesce(st.accepted_fields = '[]', false)`;

/** SQL: what is known of the posts of pieces, for a join by `content_piece_id` and `site_id`. */
export const KNOWN_POSTS = Prisma.raw("piece_posts");

/** SQL: the ids of sites that can be called. */
export const CONNECTED_SITES = Prisma.sql`SELECT id FROM sites WHERE url IS NOT NULL AND password IS NOT NULL`;

/** SQL that erases the addresses and passwords of the user's sites. */
export async function eraseSites(db: Pick<Db, "$executeRaw">, userId: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE sites SET name = NULL, url = NULL, username = NULL, password = NULL WHERE user_id = ${userId}::uuid`);
}

/** Older unanswered writes are left to the next publish: their site has not been there for a week. */
export const MAX_UNSETTLED_AGE = "7 days";

/** A deleted piece that may have a draft on a site. A trigger adds them when pieces are deleted. */
export type AbandonedPost = { id: string; siteId: string; userId: string };

/** Those whose creation went unanswered so many seconds ago, in random order. */
export function selectAbandoned(seconds: number, limit: number): Promise<AbandonedPost[]> {
  return prisma.$queryRaw<AbandonedPost[]>(Prisma.sql`
    SELECT a.content_piece_id AS id, a.site_id AS "siteId", a.user_id AS "userId" FROM abandoned_posts a
    JOIN (${CONNECTED_SITES}) s ON s.id = a.site_id
    WHERE a.unanswered_since <= now() - make_interval(secs => ${seconds}::int)
      AND a.unanswered_since > now() - ${MAX_UNSETTLED_AGE}::interval
    ORDER BY row_number() OVER (PARTITION BY a.user_id ORDER BY random()), random() LIMIT ${limit}::int`);
}

/** Forgets those that were looked for on the site. */
export async function forgetAbandoned(siteId: string, ids: string[]): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM abandoned_posts WHERE site_id = ${siteId}::uuid AND content_piece_id = ANY (${ids}::uuid[])`);
}
