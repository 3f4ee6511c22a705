import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "@/lib/client/api";
import { followChanges } from "@/lib/client/event-stream";
import { keys } from "@/lib/client/query-keys";
import type { Section } from "@/lib/features/generation/rules";
import type { JobTexts } from "@/lib/features/generation/schema";
import { isEnded } from "@/lib/features/work/states";

type Text = JobTexts["texts"][number];
/** A job, and its texts as far as they are written. */
export type Watched = { job: JobTexts["job"]; texts: WatchedText[] };
export type WatchedText = Omit<Text, "parts"> & { sections: Section[] };

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

/** The texts after a change. Each keeps its place; a new one takes that of one that is gone. */
export function withTexts(before: Watched | undefined, { job, texts }: JobTexts): Watched {
  const known = new Map(before?.texts.map((text) => [text.itemId, text]));
  const now = texts.map((text) => withParts(text, known.get(text.itemId)?.sections ?? []));
  const fresh = now.filter(({ itemId }) => !known.has(itemId));
  const placed = [...known.keys()].map((id) => now.find(({ itemId }) => itemId === id) ?? fresh.shift());
  return { job, texts: [...placed.filter((text) => text !== undefined), ...fresh] };
}

function withParts({ parts, ...text }: Text, before: Section[]): WatchedText {
  const sections = text.status === "processing" && text.section ? before.slice(0, text.section.number) : [...before];
  for (const { position, heading, from, text: added } of parts)
    sections[position] = { heading, text: (before[position]?.text ?? "").slice(0, from) + added };
  return { ...text, sections };
}
