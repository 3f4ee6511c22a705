import type { PublishAllOut, PublishingJobOut, PublishingResultOut } from "@/lib/features/publishing/schema";
import type { BulkVerb } from "@/lib/features/publishing/states";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import { query } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import { connectedWorkspace, type Failed } from "@/tests/support/publishing-workspace";

type Started = { jobId: string; joined: boolean; message: string };

/** A project with publishable pieces, and the calls that publish them as jobs. */
export async function projectToPublish(site: SampleWordPress, pieces: number) {
  const workspace = await connectedWorkspace(site);
  const ids: string[] = [];
  for (let n = 0; n < pieces; n++) {
    ids.push(await newPiece(workspace, workspace, { title: `Job ${workspace.username} ${n}`, body: `Text ${n}` }));
  }
  const { caller, projectId } = workspace;
  const url = `/api/projects/${projectId}`;
  return {
    ...workspace,
    ids,
    start: (verb: BulkVerb, contentIds?: string[]) =>
      caller.post<Started & Failed>(`${url}/publishing-jobs`, { verb, ...(contentIds ? { contentIds } : {}) }),
    publishAllExcept: (except: string[]) =>
      caller.post<Started & Failed>(`${url}/publishing-jobs`, { verb: "publish_all", except }),
    publishAll: () => caller.post<PublishAllOut & Failed>(`${url}/publish-all-to-wordpress`),
    latest: async () => (await caller.get<{ job: PublishingJobOut | null }>(`${url}/publishing-jobs`)).body.job,
    job: (id: string) => caller.get<PublishingJobOut & Failed>(`/api/publishing-jobs/${id}`),
    results: async (id: string, filter = "") =>
      (await caller.get<PublishingResultOut[]>(`/api/publishing-jobs/${id}/results${filter}`)).body,
    cancel: (id: string) => caller.post<PublishingJobOut & Failed>(`/api/publishing-jobs/${id}/cancel`),
    retry: (id: string) => caller.post<PublishingJobOut & Failed>(`/api/publishing-jobs/${id}/retry`),
    posts: () => site.posts().filter(({ title }) => title.includes(workspace.username)),
    statuses: async () =>
      (
        await query<{ status: string }>("SELECT status FROM content_pieces WHERE project_id = $1 ORDER BY title", [
          projectId,
        ])
      ).map(({ status }) => status),
  };
}

/** Items as if they had come to this state, whatever they were in, with their job's counters. */
export async function putItems(jobId: string, columns: Record<string, unknown>, which = "true"): Promise<void> {
  const ended = ["completed", "failed", "cancelled"].includes(String(columns.status));
  await query(
    `WITH gone AS (DELETE FROM publishing_queue WHERE job_id = $1 AND ${which} RETURNING *)
     INSERT INTO publishing_queue SELECT (jsonb_populate_record(NULL::publishing_queue,
       to_jsonb(gone) || $2::jsonb || jsonb_build_object('result', gone.result || $3::jsonb))).*
     FROM gone`,
    [jobId, { completed_at: ended ? new Date() : null, ...columns }, columns.result ?? {}],
  );
  await query(
    `UPDATE processing_jobs j SET (completed_items, failed_items, cancelled_items) = (
       SELECT count(*) FILTER (WHERE status = 'completed'), count(*) FILTER (WHERE status = 'failed'),
         count(*) FILTER (WHERE status = 'cancelled') FROM publishing_queue WHERE job_id = j.id) WHERE id = $1`,
    [jobId],
  );
}

/** As the engine's run does; waits are not waited for. */
export async function work(jobId: string): Promise<string> {
  const { publishForRun } = await import("@/lib/features/publishing/steps");
  for (let call = 0; call < 20; call++) {
    const outcome = await publishForRun(jobId);
    if (outcome.next !== "more") return outcome.next;
  }
  throw new Error("The job does not end.");
}
