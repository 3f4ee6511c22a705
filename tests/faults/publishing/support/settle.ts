/** What the sweep does every five minutes: removes drafts of ours that no piece needs. */
export async function settle(): Promise<void> {
  const steps = await import("@/lib/features/publishing/steps").catch(() => undefined);
  await steps?.settlePosts();
}
