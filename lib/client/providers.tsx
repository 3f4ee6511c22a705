"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { whenSignedOut } from "@/lib/client/api";
import { followCalls } from "@/lib/client/live";
import { tellingQueryCache } from "@/lib/client/load-failures";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { endSession, tellSessionEnd } from "@/lib/client/session-end";
import { tellNotLoaded } from "@/lib/client/toast";
import { whenNotLoaded } from "@/lib/utils/late";

/** What every screen stands on in the browser: its data, and the way to /auth when a call finds the session ended. */
export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(() => createQueryClient(tellingQueryCache()));
  useEffect(() => whenNotLoaded(tellNotLoaded), []);
  useEffect(() => followCalls(client), [client]);
  useEffect(tellSessionEnd, []);
  useEffect(() => {
    whenSignedOut(() => {
      const user = client.getQueryData<{ id: string } | null>(keys.user());
      // Signed out on purpose: whoever did that leads on, and calls that were under way have nothing to add.
      if (user !== null) endSession(user?.id, () => client.clear());
    });
  }, [client]);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
