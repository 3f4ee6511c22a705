import "server-only";
import { pruneAbandoned, pruneSites } from "@/lib/features/sites/sql";

/** Deletes what is known of posts and sites that nobody will look at again. The schedule calls it. */
export async function pruneFormerSites(): Promise<void> {
  await pruneAbandoned();
  await pruneSites();
}
