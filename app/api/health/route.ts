import { databaseAnswers } from "@/lib/db/health";

/** For start scripts, load balancers and monitors: 200 when the app and its database answer, else 503. */
export async function GET(): Promise<Response> {
  const ok = await databaseAnswers();
  return Response.json({ ok }, { status: ok ? 200 : 503, headers: { "cache-control": "no-store" } });
}
