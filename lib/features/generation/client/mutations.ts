import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError, api } from "@/lib/client/api";
import { outcome, type Replayable, toast, toastError } from "@/lib/client/toast";
import { cacheContent, pieceSubject } from "@/lib/features/content/client";
import type { ContentOut } from "@/lib/features/content/schema";
import type {
  GenerateIdeasInput,
  GenerateIdeasOut,
  ProposeFieldsOut,
  SuggestOut,
} from "@/lib/features/generation/schema";
import type { Queued } from "@/lib/features/work/schema";

type Topic = { id: number; projectId: number };

/** Suggests keywords and saves them at once. */
export function useAutoAddKeywords(topic: Topic) {
  const subject = `added keywords:${topic.id}`;
  return useMutation({
    mutationFn: () => api<SuggestOut & Replayable>("POST", `/api/topics/${topic.id}/suggest-keywords?autoSave=true`),
    onSuccess: ({ saved, savedKeywords, message, ...answer }) => {
      const added = joined(`${savedKeywords.length} keywords added automatically`, message);
      if (saved) toast({ ...outcome(answer, { title: "Success", description: added }), subject });
      else toast({ title: "Not saved", description: KEYWORDS_NOT_SAVED, variant: "destructive", subject });
    },
    onError: (error) => toastError(error, { fallback: "Failed to suggest keywords", subject }),
  });
}

/** A toast's sentence, with the server's note on it. */
const joined = (sentence: string, note: string | undefined) => (note ? `${sentence}. ${note}` : sentence);

const KEYWORDS_NOT_SAVED = "The new keywords could not be saved. They are listed as suggestions.";

/** Suggests keywords to choose from; nothing is saved. */
export function useSuggestKeywords(topicId: number) {
  const subject = `suggestions:${topicId}`;
  return useMutation({
    mutationFn: () => api<SuggestOut & Replayable>("POST", `/api/topics/${topicId}/suggest-keywords`),
    onSuccess: ({ message, ...answer }) => {
      const description = joined("AI generated keyword suggestions", message);
      toast({ ...outcome(answer, { title: "Success", description }), subject });
    },
    onError: (error) => toastError(error, { fallback: "Failed to suggest keywords", subject }),
  });
}

/** Generates content ideas for a topic's keywords. This may take a minute. */
export function useGenerateIdeas(projectId: number) {
  const subject = `ideas:${projectId}`;
  return useMutation({
    mutationFn: (input: GenerateIdeasInput) =>
      api<GenerateIdeasOut & Replayable>("POST", `/api/projects/${projectId}/generate-content-ideas`, input),
    onSuccess: (answer) => toast({ ...outcome(answer, { title: "Success", description: answer.message }), subject }),
    onError: (error) => toastError(error, { fallback: "Failed to generate content ideas", subject }),
  });
}

/** Generates an outline for one piece of a list. */
export function useGenerateOutline() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      api<{ message: string; outline: ContentOut } & Replayable>("POST", `/api/content/${id}/generate-outline`),
    onSuccess: ({ message, outline, ...answer }) => {
      toast({ ...outcome(answer, { title: "Success", description: message }), subject: pieceSubject(outline.id) });
      cacheContent(client, outline);
    },
    onError: (error, { id }) =>
      toastError(error, { fallback: "Failed to generate outline", subject: pieceSubject(id) }),
  });
}

/** Proposes what search engines and lists of posts say of a piece, once `saveFirst` has saved its text; null if it was not saved. */
export function useProposeFields(id: string, saveFirst: () => Promise<ContentOut | null>) {
  return useMutation({
    mutationFn: async () =>
      (await saveFirst()) && api<ProposeFieldsOut & Replayable>("POST", `/api/content/${id}/propose-fields`),
    onError: (error) => toastError(error, { fallback: "Failed to propose the fields", subject: pieceSubject(id) }),
  });
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

/** The specification's duration for the queue toasts. */
const QUEUE_TOAST_MS = 5_000;

/** Queues the outlines or the texts of a whole topic. useFollowJobs shows what the job finishes. */
export function useQueueTopic(queue: "outlines" | "content", { id }: Topic) {
  const { path, title, fallback } = QUEUES[queue];
  const subject = `${queue}:${id}`;
  const started = useRef<Queued & Replayable>(undefined);
  return useMutation({
    mutationFn: async () => {
      try {
        started.current = await api<Queued & Replayable>("POST", `/api/topics/${id}/${path}`);
        return started.current;
      } catch (error) {
        // Pressed again while the job that it has started is running.
        if (started.current && isAlreadyRunning(error, started.current)) return started.current;
        throw error;
      }
    },
    onSuccess: ({ message, jobId, ...answer }) =>
      toast({
        ...outcome(answer, { title, description: `${message} Job ${jobId.slice(0, 8)}` }),
        durationMs: QUEUE_TOAST_MS,
        action: { label: "Monitor Progress", href: "/queue-monitor", newWindow: true },
        subject,
      }),
    onError: (error) => toastError(error, { fallback, subject }),
  });
}

function isAlreadyRunning(error: unknown, { jobId }: Queued): boolean {
  return error instanceof ApiError && error.type === "ALREADY_RUNNING" && error.details.jobId === jobId;
}
