import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "@/lib/client/api";
import { apiEvents, type ServerEvent } from "@/lib/client/event-stream";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { keepContent, refreshContentLists } from "@/lib/features/content/client";
import type { ContentOut } from "@/lib/features/content/schema";
import type { GenerateIdeasInput, GenerateIdeasOut, SuggestOut } from "@/lib/features/generation/schema";
import { queueStatusQuery } from "@/lib/features/jobs/client";
import type { Queued } from "@/lib/features/jobs/schema";
import { useRefreshKeywords } from "@/lib/features/topics/client";

type Topic = { id: number; projectId: number };

/** Asks for keywords and saves them at once. */
export function useAutoAddKeywords(topic: Topic) {
  const refresh = useRefreshKeywords(topic);
  return useMutation({
    mutationFn: () => api<SuggestOut>("POST", `/api/topics/${topic.id}/suggest-keywords?autoSave=true`),
    onSuccess: async ({ savedKeywords }) => {
      toast({ title: "Success", description: `${savedKeywords.length} keywords added automatically` });
      await refresh();
    },
    onError: (error) => toastError(error, { fallback: "Failed to suggest keywords" }),
  });
}

/** Asks for keywords to choose from; nothing is saved. */
export function useSuggestKeywords(topicId: number) {
  return useMutation({
    mutationFn: () => api<SuggestOut>("POST", `/api/topics/${topicId}/suggest-keywords`),
    onSuccess: () => toast({ title: "Success", description: "AI generated keyword suggestions" }),
    onError: (error) => toastError(error, { fallback: "Failed to suggest keywords" }),
  });
}

/** Content ideas for a topic's keywords; may take up to a minute. */
export function useGenerateIdeas(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: GenerateIdeasInput) =>
      api<GenerateIdeasOut>("POST", `/api/projects/${projectId}/generate-content-ideas`, input),
    onSuccess: async ({ message }, { topicId }) => {
      toast({ title: "Success", description: message });
      await refreshContentLists(client, { projectId, topicId }, "number");
    },
    onError: (error) => toastError(error, { fallback: "Failed to generate content ideas" }),
  });
}

/** An outline for one piece of a list. */
export function useGenerateOutline() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      api<{ message: string; outline: ContentOut }>("POST", `/api/content/${id}/generate-outline`),
    onSuccess: ({ message, outline }) => {
      toast({ title: "Success", description: message });
      keepContent(client, outline);
    },
    onError: (error) => toastError(error, { fallback: "Failed to generate outline" }),
  });
}

const STREAMED = {
  outline: { path: "generate-outline", member: "outline", fallback: "Failed to generate outline" },
  body: { path: "generate-from-outline", member: "content", fallback: "Error generating content from outline" },
} as const;

/**
 * The AI writes the outline or the body of the open piece; `writing` is what has come so far, null when nothing runs.
 * Leaving the page stops the listening, not the work: the text is there when the piece is opened again.
 */
export function useStreamedText(kind: "outline" | "body", id: string, onWritten: (piece: ContentOut) => void) {
  const client = useQueryClient();
  const [writing, setWriting] = useState<Writing | null>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  const { path, member, fallback } = STREAMED[kind];
  const mutation = useMutation({
    mutationFn: async () => {
      const left = new AbortController();
      leaving.current = left;
      setWriting(NOTHING_YET);
      try {
        return await listen(`/api/content/${id}/${path}`, left.signal, (event) =>
          setWriting((before) => withEvent(before ?? NOTHING_YET, event)),
        );
      } catch (error) {
        // What was kept on the way is not known here: the next look fetches it.
        await client.invalidateQueries({ queryKey: keys.content(id), refetchType: "none" });
        if (left.signal.aborted) return undefined;
        throw error;
      }
    },
    onSuccess: (done) => {
      if (!done) return;
      toast({ title: "Success", description: done.message });
      const piece = done[member] as ContentOut;
      keepContent(client, piece);
      onWritten(piece);
    },
    onError: (error) => toastError(error, { fallback }),
    onSettled: () => setWriting(null),
  });
  return { start: () => mutation.mutate(), isPending: mutation.isPending, writing };
}

type Done = { message: string; outline?: ContentOut; content?: ContentOut };

async function listen(url: string, signal: AbortSignal, onEvent: (event: ServerEvent) => void): Promise<Done> {
  for await (const event of apiEvents(url, signal)) {
    if (event.event === "done") return event.data as Done;
    onEvent(event);
  }
  throw new Error("The connection ended before the text was finished.");
}

/** What has been written so far: `index` of `count` sections is in the making, the last of `sections` grows. */
export type Writing = {
  index: number;
  count: number;
  heading: string;
  sections: { heading: string; text: string }[];
};

const NOTHING_YET: Writing = { index: 0, count: 0, heading: "", sections: [] };

/** The writing after one more event. A section that begins again replaces what there was of it. */
export function withEvent(writing: Writing, { event, data }: ServerEvent): Writing {
  if (event === "section") {
    const { restart, ...begun } = data as { index: number; count: number; heading: string; restart: boolean };
    const kept = restart ? writing.sections.slice(0, -1) : writing.sections;
    return { ...begun, sections: [...kept, { heading: begun.heading, text: "" }] };
  }
  const last = writing.sections.at(-1);
  if (event !== "delta" || !last) return writing;
  const { text } = data as { text: string };
  return { ...writing, sections: [...writing.sections.slice(0, -1), { ...last, text: last.text + text }] };
}

const QUEUES = {
  outlines: {
    path: "generate-outline-queue",
    title: "Outline Generation Queued",
    fallback: "Failed to queue topic outline generation",
  },
  content: {
    path: "generate-all-content-queue",
    title: "Content Generation Queued",
    fallback: "Failed to queue content generation",
  },
} as const;

/** As long as the specification lets the toasts of the queues stand. */
const QUEUE_TOAST_MS = 5_000;

/** Queues the outlines, or the texts, of a whole topic; its lists follow what the job finishes. */
export function useQueueTopic(queue: "outlines" | "content", { id, projectId }: Topic) {
  const client = useQueryClient();
  const { path, title, fallback } = QUEUES[queue];
  const mutation = useMutation({
    mutationFn: () => api<Queued>("POST", `/api/topics/${id}/${path}`),
    onSuccess: async ({ message, jobId }) => {
      toast({
        title,
        description: `${message} Job ${jobId.slice(0, 8)}`,
        durationMs: QUEUE_TOAST_MS,
        action: { label: "Monitor Progress", href: "/queue-monitor", newWindow: true },
      });
      await client.invalidateQueries({ queryKey: keys.queueStatus() });
      await markTopicOld(client, { projectId, topicId: id });
    },
    onError: (error) => toastError(error, { fallback }),
  });
  useFollowJob(mutation.data?.jobId, projectId, id);
  return mutation;
}

/** While the lists are on screen: each time the job has finished something, they are fetched anew. */
function useFollowJob(jobId: string | undefined, projectId: number, topicId: number): void {
  const client = useQueryClient();
  const [endedId, setEndedId] = useState<string>();
  const isFollowing = jobId !== undefined && jobId !== endedId;
  const { data } = useQuery({ ...queueStatusQuery(), enabled: isFollowing });
  const job = isFollowing ? data?.jobs.find(({ id }) => id === jobId) : undefined;
  const finished = job ? job.completedItems + job.failedItems + job.cancelledItems : 0;
  const isOver = Boolean(job?.completedAt);
  useEffect(() => {
    if (finished > 0) void refreshContentLists(client, { projectId, topicId });
    if (isOver) setEndedId(jobId);
  }, [client, projectId, topicId, jobId, finished, isOver]);
}

/** The texts come later and by themselves: lists of this topic are fetched anew when they are opened the next time. */
function markTopicOld(client: QueryClient, { projectId, topicId }: { projectId: number; topicId: number }) {
  const later = { refetchType: "none" } as const;
  return Promise.all([
    client.invalidateQueries({ queryKey: keys.topicContent(projectId, topicId), ...later }),
    client.invalidateQueries({ queryKey: keys.projectContent(projectId), ...later }),
    client.invalidateQueries({ queryKey: keys.allLibrary(), ...later }),
  ]);
}
