import { query } from "@/tests/support/db";

/** What the schedule does once a lost write can hardly arrive any more: removes drafts of ours that no piece needs. */
export async function settle(): Promise<void> {
  for (const table of ["piece_posts", "abandoned_posts"])
    await query(`UPDATE ${table} SET unanswered_since = unanswered_since - interval '1 hour'`);
  const { settlePosts } = await import("@/lib/features/publishing/steps");
  await settlePosts();
}
