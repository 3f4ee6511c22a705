import "server-only";
import type { Actor } from "@/lib/auth/actor";
import type { SearchHits, SearchQuery } from "@/lib/features/search/schema";
import { type HitRow, selectHits } from "@/lib/features/search/sql";

/** The actor's projects, topics and pieces by title. Aborting `signal` ends it. */
export async function search({ userId }: Actor, { text = "" }: SearchQuery, signal?: AbortSignal): Promise<SearchHits> {
  const rows = await selectHits(userId, text, signal);
  const of = (kind: HitRow["kind"]) => rows.filter((row) => row.kind === kind);
  return {
    projects: of("project").map(({ id, title }) => ({ id: Number(id), title })),
    topics: of("topic").map(({ id, title, projectId, projectTitle }) => ({
      id: Number(id),
      name: title,
      projectId: Number(projectId),
      projectTitle: projectTitle ?? "",
    })),
    pieces: of("piece").map(({ id, title }) => ({ id, title })),
  };
}
