import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "@/lib/client/api";
import { followChanges } from "@/lib/client/event-stream";
import { keys } from "@/lib/client/query-keys";
import { type Watched, withTexts } from "@/lib/features/generation/client/watched-texts";
import type { JobTexts } from "@/lib/features/generation/schema";
import { isEnded } from "@/lib/features/work/states";

/** How often the texts are read where there is no stream. */
const POLL_MS = 2_000;

/** The texts that a job writes, up to date as long as it lives. */
export function useJobTexts(jobId: string): UseQueryResult<Watched> {
  const client = useQueryClient();
  const [isPolled, setPolled] = useState(false);
  const queryKey = keys.jobTexts(jobId);
  const query = useQuery({
    queryKey,
    queryFn: async () => withTexts(client.getQueryData<Watched>(queryKey), await api<JobTexts>("GET", queryKey[0])),
    refetchInterval: isPolled && POLL_MS,
  });
  const isLive = query.data !== undefined && !isEnded(query.data.job.status);
  useEffect(() => {
    if (!isLive) return;
    const key = keys.jobTexts(jobId);
    const end = new AbortController();
    void followChanges<JobTexts>(
      () => key[0],
      (changes) => client.setQueryData<Watched>(key, (before) => withTexts(before, changes)),
      {
        signal: end.signal,
        onNone: () => setPolled(true),
        // The answer says what is wrong.
        onBroken: () => void client.refetchQueries({ queryKey: key }),
      },
    );
    return () => {
      end.abort();
      setPolled(false);
    };
  }, [client, jobId, isLive]);
  return query;
}
