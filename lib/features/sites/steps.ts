import "server-only";
import { pruneWaiting } from "@/lib/features/sites/connecting/sql";
import { pruneAbandoned, pruneSites } from "@/lib/features/sites/sql";

/** Deletes what is known of posts and sites that nobody will look at again, and connections that were never approved. The schedule calls it. */
export async function pruneFormerSites(): Promise<void> {
  await pruneAbandoned();
  await pruneSites();
  await pruneWaiting();
}
