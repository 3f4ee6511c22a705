import { addTopic } from "@/scripts/demo/add-topic";
import { type Caller, CallFailed } from "@/scripts/demo/caller";
import { TOPICS } from "@/scripts/demo/content";
import type { Filling, MadePiece } from "@/scripts/demo/filling";
import { publishPieces } from "@/scripts/demo/publish-pieces";
import type { DemoRecord } from "@/scripts/demo/record";
import { writeTopic } from "@/scripts/demo/write-topic";

/**
 * Fills the demo account's project as a user would: through the API, the queue, the sample provider and the sample site.
 * What the user has deleted or begun meanwhile is left to the user.
 */
export async function fillDemo(caller: Caller, record: DemoRecord): Promise<void> {
  const once: DemoRecord["once"] = (name, make) => record.once(name, () => nullIfUsersOwn(make));
  const projectId = await once("project", async () => {
    return (await caller.get<{ id: number }[]>("/api/projects"))[0]?.id ?? null;
  });
  if (projectId !== null) await fillProject({ ...caller, once, projectId });
  record.finish();
}

async function fillProject(filling: Filling): Promise<void> {
  const pieces: MadePiece[] = [];
  for (const plan of TOPICS) {
    const topic = await addTopic(filling, plan);
    if (!topic) continue;
    await writeTopic(filling, plan, topic);
    pieces.push(...topic.pieces);
  }
  await publishPieces(filling, pieces);
}

/** Refused by the data as it is, because the user has deleted something or was faster: a later start could not do it either. */
async function nullIfUsersOwn<Result>(make: () => Promise<Result>): Promise<Result | null> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof CallFailed && error.status < 500 && !PASSING.includes(error.status)) return null;
    throw error;
  }
}

/** Signed out meanwhile, and too many calls. */
const PASSING = [401, 429];
