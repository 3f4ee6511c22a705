import type { Caller } from "@/scripts/demo/caller";
import type { DemoPiece } from "@/scripts/demo/content";
import type { DemoRecord } from "@/scripts/demo/record";
import { pause } from "@/scripts/processes";

/** The filling of one project: calls as its user, and steps that are made once over any number of starts. */
export type Filling = Omit<Caller, "signOut"> & Pick<DemoRecord, "once"> & { projectId: number };

export type MadePiece = DemoPiece & { key: string; id: string };
export type MadeTopic = { id: number; pieces: MadePiece[] };

type Changes = { body?: string; status?: string };

/** Changes a piece as the user's editor would. */
export async function change(
  { get, patch, once }: Filling,
  { id }: MadePiece,
  step: string,
  changesTo: (body: string) => Changes,
): Promise<void> {
  await once(step, async () => {
    const { body, version } = await get<{ body: string; version: number }>(`/api/content/${id}`);
    await patch(`/api/content/${id}`, { ...changesTo(body), version });
    return true;
  });
}

const LONGEST_WAIT_MS = 120_000;

/** Waits until none of the jobs is at work. */
export async function untilEnded(jobs: () => Promise<{ status: string }[]>): Promise<void> {
  const isWorking = async () => (await jobs()).some(({ status }) => status === "pending" || status === "processing");
  for (const deadline = Date.now() + LONGEST_WAIT_MS; await isWorking(); await pause(250)) {
    if (Date.now() > deadline) throw new Error("A job of the queue did not end within two minutes.");
  }
}
