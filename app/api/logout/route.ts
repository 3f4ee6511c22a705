import { signOut } from "@/lib/features/account/writes/sign-in";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const POST = route(
  { summary: "Ends the session.", access: "anyone" },
  async ({ actor, origin, sessionToken }) => {
    await signOut(actor, sessionToken, origin);
    return new Reply(null, { session: "ended" });
  },
);
