import "server-only";
import { endSession } from "@/lib/auth/sessions";
import { Reply } from "@/lib/transport/reply";

/**
 * Ends the session that a response replaces with a new one. This is done here, not in the sign-in verbs: no new verb can
 * forget it, and a failed sign-in ends nothing.
 */
export async function endReplacedSession(result: unknown, token: string | undefined): Promise<void> {
  const session = result instanceof Reply ? result.options.session : undefined;
  if (!token || !session || session === "ended") return;
  await endSession(token);
}
