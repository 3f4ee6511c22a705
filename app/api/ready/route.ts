import { readiness, readinessOut } from "@/lib/transport/readiness";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

/** Tells start scripts, load balancers and rolling deployments whether the app can serve users. */
export const GET = route(
  {
    operationId: "getReady",
    summary: "200 when the app can serve users: the database answers and has its migrations. Else 503.",
    access: "monitor",
    reply: readinessOut,
  },
  async () => {
    const answer = await readiness();
    return new Reply(answer, { status: answer.ok ? 200 : 503 });
  },
);
