import { query } from "@/tests/support/db";
import { PASSWORD, type User } from "@/tests/support/factories";
import type { World } from "@/tests/support/world";

/** Deletes the account over its call. */
export const deleteAccount = ({ caller, username }: User) =>
  caller.call("DELETE", "/api/user", { confirm: username, password: PASSWORD });

/** A deletion of each kind of thing in a world. */
export const deletions: [string, (world: World) => Promise<{ status: number }>][] = [
  ["a piece", ({ caller, pieceId }) => caller.delete(`/api/content/${pieceId}`)],
  ["a topic", ({ caller, topicId }) => caller.delete(`/api/topics/${topicId}`)],
  ["a project", ({ caller, projectId }) => caller.delete(`/api/projects/${projectId}`)],
  ["an account", deleteAccount],
];

/** How many rows it selects. */
export async function countRows(from: string, values: unknown[]): Promise<number> {
  const [row] = await query<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`, values);
  return row?.count ?? 0;
}
