"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { onSessionEnd } from "@/lib/client/api";
import { clearIdempotencyKeys, setVersionReader } from "@/lib/client/idempotency-keys";
import { invalidateOnApiCalls } from "@/lib/client/invalidation";
import { onNavigationStart } from "@/lib/client/navigation";
import { createQueryCache } from "@/lib/client/query-cache";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { endSession, toastSessionEnd } from "@/lib/client/session-end";
import { toastNotLoaded } from "@/lib/client/toast";
import { setLoadErrorReporter } from "@/lib/utils/lazy-module";

/** What every screen needs in the browser: the query client, and what happens when the session ends. */
export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(() => createQueryClient(createQueryCache()));
  useEffect(() => setLoadErrorReporter(toastNotLoaded), []);
  useEffect(() => invalidateOnApiCalls(client), [client]);
  useEffect(
    () => setVersionReader((id) => client.getQueryData<{ version: number }>(keys.content(id))?.version),
    [client],
  );
  useEffect(() => onNavigationStart(clearIdempotencyKeys), []);
  useEffect(toastSessionEnd, []);
  useEffect(() => {
    onSessionEnd(() => {
      const user = client.getQueryData<{ id: string } | null>(keys.user());
      // Null after a deliberate sign-out, which navigates by itself.
      if (user !== null) endSession(user?.id, () => client.clear());
    });
  }, [client]);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
