import { change, type Filling, type MadePiece, untilEnded } from "@/scripts/demo/filling";

/** Publishes the chosen pieces as one job; then one is taken off the site, and another one goes on being edited. */
export async function publishPieces(filling: Filling, pieces: MadePiece[]): Promise<void> {
  const { get, post, once, projectId } = filling;
  // One step: after a kill the call joins the job that it has begun, and the queue takes it up at once.
  await once("published", async () => {
    const written = await get<{ id: string; hasBody: boolean }[]>(`/api/content?projectId=${projectId}`);
    const ready = new Set(written.filter(({ hasBody }) => hasBody).map(({ id }) => id));
    const contentIds = pieces.filter(({ id, publish }) => publish && ready.has(id)).map(({ id }) => id);
    if (contentIds.length === 0) return null;
    const body = { verb: "publish_selected", contentIds };
    const { jobId } = await post<{ jobId: string }>(`/api/projects/${projectId}/publishing-jobs`, body);
    await untilEnded(async () => [await get<{ status: string }>(`/api/publishing-jobs/${jobId}`)]);
    return true;
  });
  for (const piece of pieces) {
    const { key, id, unpublish, addition } = piece;
    if (unpublish) {
      await once(`${key}-unpublished`, async () => {
        await post(`/api/content/${id}/unpublish`, {});
        return true;
      });
    }
    if (addition) {
      const withAddition = (body: string) => (body.includes(addition) ? body : `${body.trimEnd()}\n\n${addition}\n`);
      await change(filling, piece, `${key}-edited`, (body) => ({ body: withAddition(body) }));
    }
  }
}
