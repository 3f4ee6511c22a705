import type { WriteOutcome } from "@/lib/wordpress/batch-writes";
import type { WordPressClient } from "@/lib/wordpress/client";
import type { PostFields } from "@/lib/wordpress/posts";
import type { WordPressPost } from "@/lib/wordpress/schema";

// One write at a time; what failed is thrown.

type Writer = Pick<WordPressClient, "createDrafts" | "updatePosts">;

export async function createDraft(client: Writer, draft: { marker: string; title: string }): Promise<WordPressPost> {
  return postOf(await client.createDrafts([draft]));
}

export async function updatePost(client: Writer, id: number, fields: Partial<PostFields>): Promise<WordPressPost> {
  return postOf(await client.updatePosts([{ id, fields }]));
}

/** In two phases, as publishing does. */
export async function publishNew(
  client: Writer,
  { marker, ...fields }: PostFields & { marker: string },
): Promise<WordPressPost> {
  const { id } = await createDraft(client, { marker, title: fields.title });
  return updatePost(client, id, { status: "publish", slug: "", ...fields });
}

function postOf([outcome]: WriteOutcome[]): WordPressPost {
  if (!outcome) throw new Error("A write has no outcome.");
  if (!outcome.ok) throw outcome.error;
  return outcome.post;
}
