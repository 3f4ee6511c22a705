import type { DemoTopic } from "@/scripts/demo/content";
import type { Filling, MadePiece, MadeTopic } from "@/scripts/demo/filling";

/** Adds a topic with its keywords, titles and ideas; undefined if the user has deleted it. */
export async function addTopic(filling: Filling, plan: DemoTopic): Promise<MadeTopic | undefined> {
  const { get, post, once, projectId } = filling;
  const { key, name, description, category, ideasPerKeyword } = plan;
  const url = `/api/projects/${projectId}/topics`;
  const id = await once(key, async () => {
    const known = (await get<{ id: number; name: string }[]>(url)).find((each) => each.name === name);
    return (known ?? (await post<{ id: number }>(url, { name, description, category }, key))).id;
  });
  if (id === null) return undefined;
  await addKeywords(filling, id, plan);
  const pieces: MadePiece[] = [];
  for (const [place, piece] of plan.pieces.entries()) {
    const step = `${key}-${place}`;
    const pieceId = await once(step, async () => {
      return (await post<{ id: string }>(`${url}/${id}/content`, { title: piece.title }, step)).id;
    });
    if (pieceId !== null) pieces.push({ ...piece, key: step, id: pieceId });
  }
  if (ideasPerKeyword) {
    await once(`${key}-ideas`, async () => {
      const body = { topicId: id, ideasPerKeyword };
      await post(`/api/projects/${projectId}/generate-content-ideas`, body, `${key}-ideas`);
      return true;
    });
  }
  return { id, pieces };
}

/** Adds the user's own keywords, then some that the AI suggests. */
async function addKeywords({ post, once }: Filling, topicId: number, plan: DemoTopic): Promise<void> {
  const url = `/api/topics/${topicId}`;
  const add = (keywords: string[], step: string) =>
    once(step, async () => {
      await post(`${url}/add-suggested-keywords`, { keywords }, step);
      return true;
    });
  await add(plan.keywords, `${plan.key}-keywords`);
  if (plan.suggestions === 0) return;
  const step = `${plan.key}-suggested`;
  await once(step, async () => {
    const { keywords } = await post<{ keywords: string[] }>(`${url}/suggest-keywords`, {}, step);
    await add(keywords.filter((keyword) => CHOSEN.test(keyword)).slice(0, plan.suggestions), `${step}-chosen`);
    return true;
  });
}

/** The sample provider's suggestions that read well after any topic. */
const CHOSEN = / (?:checklist|mistakes|on a budget|for beginners)$/;
