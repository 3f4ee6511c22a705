"use client";

import { useQuery } from "@tanstack/react-query";
import { EndOtherSessions } from "@/components/account/sessions/end-other-sessions";
import { useShowAll } from "@/components/account/sessions/show-all";
import { SettingsGroup } from "@/components/account/settings/settings-group";
import { LocalTime } from "@/components/shared/local-time";
import { Badge } from "@/components/ui/badge";
import { keys } from "@/lib/client/query-keys";
import type { SessionOut } from "@/lib/features/account/sessions/schema";

/** The server lists at most this many. */
const MAX_SESSIONS = 100;

/** Where the user is signed in, this device first, and a button to sign out everywhere else. */
export function OpenSessions() {
  const { data: sessions } = useQuery<SessionOut[]>({ queryKey: keys.sessions() });
  const { listId, isExpanded, button, shown } = useShowAll(sessions ?? []);
  if (!sessions) return null;
  return (
    <SettingsGroup
      title="Open sessions"
      about="Where you are signed in. A session ends 30 days after it was last used. If you do not know one, sign out everywhere else and change your password."
    >
      <ol id={listId} className="grid min-w-0">
        {shown.map((session) => (
          <Session key={session.id} session={session} />
        ))}
      </ol>
      {isExpanded && sessions.length === MAX_SESSIONS ? (
        <p className="text-muted-foreground text-sm">These are the newest {MAX_SESSIONS}; there may be more.</p>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {button}
        <EndOtherSessions others={sessions.filter(({ current }) => !current).length} />
      </div>
    </SettingsGroup>
  );
}

function Session({ session: { device, address, createdAt, lastUsed, current } }: { session: SessionOut }) {
  return (
    <li className="grid gap-y-0.5 border-b py-2 first:pt-0 last:border-b-0">
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <span className="min-w-0 break-words">{device}</span>
        {current ? <Badge variant="plain">This device</Badge> : null}
        {address ? (
          <span className="min-w-0 break-all text-muted-foreground text-sm max-sm:basis-full sm:ml-auto">
            {address}
          </span>
        ) : null}
      </span>
      <span className="flex flex-wrap gap-x-4 text-muted-foreground text-sm tabular-nums">
        <span>
          Signed in <LocalTime at={createdAt} style="short" />
        </span>{" "}
        {current ? (
          <span>In use now</span>
        ) : (
          <span>
            Last used <LocalTime at={lastUsed} style="shortDate" />
          </span>
        )}
      </span>
    </li>
  );
}
