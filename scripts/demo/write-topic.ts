import type { DemoTopic } from "@/scripts/demo/content";
import { change, type Filling, type MadeTopic, untilEnded } from "@/scripts/demo/filling";

/** Queues the topic's outlines and texts, waits for them, then makes the user's own changes. */
export async function writeTopic(filling: Filling, plan: DemoTopic, { id, pieces }: MadeTopic): Promise<void> {
  if (plan.queue !== "nothing") await queue(filling, id, `${plan.key}-outlines`, "generate-outline-queue");
  if (plan.queue === "texts") await queue(filling, id, `${plan.key}-texts`, "generate-all-content-queue");
  for (const piece of pieces) {
    const { text, status } = piece;
    if (text) await change(filling, piece, `${piece.key}-text`, () => ({ body: text }));
    if (status) await change(filling, piece, `${piece.key}-status`, () => ({ status }));
  }
}

type Job = { topicId: number; status: string };

async function queue({ get, post, once }: Filling, topicId: number, step: string, verb: string): Promise<void> {
  await once(step, async () => {
    await post(`/api/topics/${topicId}/${verb}`, {}, step);
    return true;
  });
  await once(`${step}-made`, async () => {
    await untilEnded(async () => {
      const { jobs } = await get<{ jobs: Job[] }>("/api/queue/status");
      return jobs.filter((job) => job.topicId === topicId);
    });
    return true;
  });
}
