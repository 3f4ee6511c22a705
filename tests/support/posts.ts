import { placeOf } from "@/lib/wordpress/site-address";
import { query } from "@/tests/support/db";

type StoredFields = {
  /** Null: none is known there. */
  postId?: string | null;
  status?: string;
  permalink?: string | null;
  categoryId?: string | null;
  categoryName?: string | null;
  remoteHash?: string | null;
  sentHash?: string | null;
  publishError?: string | null;
  lastSyncedAt?: Date | null;
  unansweredSince?: Date | null;
};

/** The site at this home, as if its owner had connected it; it becomes the default one unless told otherwise. */
export async function connectedSite(userId: string, home: string, isDefault = true): Promise<string> {
  if (isDefault) await query("UPDATE sites SET is_default = false WHERE user_id = $1", [userId]);
  const [site] = await query<{ id: string }>(
    `INSERT INTO sites (user_id, place, api_root, url, username, password, is_default)
     SELECT $1, $2, $3, $4, u.wordpress_username, u.wordpress_password, $5 FROM users u WHERE u.id = $1
     ON CONFLICT (user_id, place) DO UPDATE SET is_default = excluded.is_default RETURNING id`,
    [userId, placeOf(home), `${home}/wp-json/`, home, isDefault],
  );
  return site?.id ?? "";
}

/** Sets what is stored of a piece on a site; what is not named becomes empty. */
export async function storePost(contentId: string, siteId: string, fields: StoredFields): Promise<void> {
  const { postId = null, status = "unpublished", permalink = null, categoryId = null, categoryName = null } = fields;
  const {
    remoteHash = null,
    sentHash = null,
    publishError = null,
    lastSyncedAt = null,
    unansweredSince = null,
  } = fields;
  await query("DELETE FROM piece_posts WHERE content_piece_id = $1 AND site_id = $2", [contentId, siteId]);
  await query(
    `INSERT INTO piece_posts (content_piece_id, site_id, post_id, status, permalink, category_id, category_name, remote_hash,
       sent_hash, publish_error, last_synced_at, unanswered_since)
     VALUES ($1, $2, $3, $4::content_status, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      contentId,
      siteId,
      postId,
      status,
      permalink,
      categoryId,
      categoryName,
      remoteHash,
      sentHash,
      publishError,
      lastSyncedAt,
      unansweredSince,
    ],
  );
}
