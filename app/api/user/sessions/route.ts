import { openSessions } from "@/lib/features/account/sessions/reads";
import { sessionOut } from "@/lib/features/account/sessions/schema";
import { endOtherSessions } from "@/lib/features/account/sessions/writes";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "listSessions",
    summary: "The user's open sessions: this one first, then the newest, at most 100.",
    shows: { nouns: ["account", "session"], failed: "Your open sessions did not load" },
    reply: sessionOut.array(),
  },
  ({ actor, sessionToken }) => openSessions(actor, sessionToken),
);

export const DELETE = route(
  { operationId: "endOtherSessions", summary: "Signs out everywhere else.", changes: ["session"] },
  ({ actor, sessionToken }) => endOtherSessions(actor, sessionToken),
);
