import { signOut } from "@/lib/features/account/sign-in/writes/sign-in";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const POST = route(
  { operationId: "logout", summary: "Ends the session.", access: "anyone" },
  async ({ actor, context, sessionToken }) => {
    await signOut(actor, sessionToken, context);
    return new Reply(null, { session: "ended" });
  },
);
