import "server-only";
import { endSession } from "@/lib/auth/sessions";
import { Reply } from "@/lib/transport/reply";

/**
 * Ends the session whose token an answer takes out of the browser by giving it another one. Here and not in the verbs of
 * signing in: a new way in cannot forget it, and one that fails gives no token and so ends nothing.
 */
export async function endReplaced(result: unknown, token: string | undefined): Promise<void> {
  const session = result instanceof Reply ? result.options.session : undefined;
  if (!token || !session || session === "ended") return;
  await endSession(token);
}
