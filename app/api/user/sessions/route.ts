import { openSessions } from "@/lib/features/account/reads";
import { sessionOut } from "@/lib/features/account/schema";
import { endOtherSessions } from "@/lib/features/account/writes/account";
import { route } from "@/lib/transport/route";

export const GET = route(
  { summary: "The person's open sessions: this one first, then the newest, at most 100.", reply: sessionOut.array() },
  ({ actor, sessionToken }) => openSessions(actor, sessionToken),
);

export const DELETE = route({ summary: "Signs out everywhere else." }, ({ actor, sessionToken }) =>
  endOtherSessions(actor, sessionToken),
);
