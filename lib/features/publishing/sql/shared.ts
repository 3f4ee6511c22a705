import "server-only";
import { type Db, Prisma } from "@/lib/db/prisma";

/** What other features use of publishing jobs: writes inside their transactions. */

/** Cancels the user's live publishing jobs, all or a project's: from now on nothing of them is begun. */
export async function cancelPublishingJobs(
  db: Pick<Db, "$executeRaw">,
  userId: string,
  { projectId }: { projectId?: number },
): Promise<void> {
  const ofProject = projectId === undefined ? Prisma.empty : Prisma.sql`AND j.project_id = ${projectId}::int`;
  await db.$executeRaw(Prisma.sql`
    WITH job AS (
      UPDATE publishing_jobs j SET status = 'cancelled', cancel_requested_at = now(), completed_at = now()
      WHERE j.user_id = ${userId}::uuid AND j.completed_at IS NULL ${ofProject} RETURNING j.id)
    UPDATE publishing_items i SET status = 'cancelled' FROM job
    WHERE i.job_id = job.id AND i.status IN ('pending', 'processing')`);
}
