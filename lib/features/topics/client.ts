import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, errorText } from "@/lib/client/api";
import { inContentLists, inLibraryNumbers, inTopicNumbers } from "@/lib/client/list-changes";
import { refetched } from "@/lib/client/live";
import { type Change, change } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";
import { statusText } from "@/lib/client/status-text";
import { toast, toastError } from "@/lib/client/toast";
import { keepUnsaved } from "@/lib/client/unsaved";
import { useOptimistic } from "@/lib/client/use-optimistic";
import type {
  AddSuggestedInput,
  CreateTopicInput,
  KeywordInput,
  KeywordOut,
  TopicOut,
  UpdateTopicInput,
} from "@/lib/features/topics/schema";
import { keywordKey } from "@/lib/utils/text";

/** All topics of a project, with the numbers of keywords and pieces. */
export function topicsQuery(projectId: number) {
  return queryOptions({
    queryKey: keys.topics(projectId),
    queryFn: () => api<TopicOut[]>("GET", `/api/projects/${projectId}/topics`),
  });
}

/** All keywords of a topic. */
export function keywordsQuery(topicId: number) {
  return queryOptions({
    queryKey: keys.keywords(topicId),
    queryFn: () => api<KeywordOut[]>("GET", `/api/topics/${topicId}/keywords`),
  });
}

export function useCreateTopic(projectId: number) {
  const client = useQueryClient();
  const subject = `new topic:${projectId}`;
  return useMutation({
    mutationFn: (input: CreateTopicInput) => api<TopicOut>("POST", `/api/projects/${projectId}/topics`, input),
    onSuccess: () => {
      toast({ title: "Success", description: "Topic created successfully", subject });
      // Awaited: with the first topic another button opens the dialog, and gets the focus back.
      return refetched(client, keys.topics(projectId));
    },
    onError: (error) => toastError(error, { fallback: "Failed to create topic", subject }),
  });
}

export function useUpdateTopic({ id }: { id: number }) {
  const subject = `topic:${id}`;
  return useMutation({
    mutationFn: (input: UpdateTopicInput) => api<TopicOut>("PATCH", `/api/topics/${id}`, input),
    onSuccess: () => toast({ title: "Success", description: "Topic updated successfully", subject }),
    onError: (error) => toastError(error, { fallback: "Failed to update topic", subject }),
  });
}

/** Deletes a topic with all that is in it: gone from the screen at once, back when the server refuses. */
export function useDeleteTopic({ id, projectId }: Topic) {
  return useOptimistic({
    call: () => api<void>("DELETE", `/api/topics/${id}`),
    changes: () => [
      change<TopicOut[]>(keys.topics(projectId), (topics) => topics.filter((topic) => topic.id !== id)),
      inLibraryNumbers(keys.allLibraryGroups(), id, "all"),
      ...inContentLists({ projectId, topicId: id }, (pieces) => pieces.filter(({ topicId }) => topicId !== id)),
    ],
    done: "Topic deleted successfully",
    failed: "Failed to delete topic",
    subject: () => `topic:${id}`,
  });
}

type Topic = { id: number; projectId: number };

/** Where the texts of keywords are kept that the server refused: new ones by themselves, edited ones by their id. */
export const unsavedKeywords = {
  added: (topicId: number) => `/api/topics/${topicId}/keywords`,
  edited: (topicId: number) => `/api/topics/${topicId}/keywords/edited`,
};

/** Adds a keyword: in its list at once. One that is refused leaves it, and its text is kept for the field. */
export function useAddKeyword(topic: Topic) {
  const client = useQueryClient();
  return useOptimistic({
    call: (input: KeywordInput) => api<KeywordOut>("POST", `/api/topics/${topic.id}/keywords`, input),
    changes: ({ keyword }) => withKeyword(client, topic, keyword),
    done: "Keyword added successfully",
    failed: "Failed to add keyword",
    subject: ({ keyword }) => `new keyword:${topic.id}:${keyword}`,
    keepText: ({ keyword }) => keepUnsaved(client, unsavedKeywords.added(topic.id), keyword, keyword),
  });
}

/** Edits a keyword: its new text shows at once. One that is refused is kept for its field. */
export function useUpdateKeyword({ id: topicId }: Topic) {
  const client = useQueryClient();
  return useOptimistic({
    call: ({ id, keyword }: { id: number; keyword: string }) =>
      api<KeywordOut>("PATCH", `/api/keywords/${id}`, { keyword }),
    changes: ({ id, keyword }) => [
      change<KeywordOut[]>(keys.keywords(topicId), (keywords) =>
        keywords.map((each) => (each.id === id ? { ...each, keyword } : each)),
      ),
    ],
    done: "Keyword updated successfully",
    failed: "Failed to update keyword",
    subject: ({ id }) => `keyword:${id}`,
    keepText: ({ id, keyword }) => keepUnsaved(client, unsavedKeywords.edited(topicId), id, keyword),
  });
}

/** Deletes a keyword: gone from the screen at once, back in its place when the server refuses. */
export function useDeleteKeyword(topic: Topic) {
  return useOptimistic({
    call: (id: number) => api<void>("DELETE", `/api/keywords/${id}`),
    changes: (id) => [
      change<KeywordOut[]>(keys.keywords(topic.id), (keywords) => keywords.filter((each) => each.id !== id)),
      inTopicNumbers({ projectId: topic.projectId, topicId: topic.id }, "keywordCount", -1),
    ],
    done: "Keyword deleted successfully",
    failed: deleteFailure,
    subject: (id) => `keyword:${id}`,
  });
}

/**
 * Adds chosen suggestions; those the topic has already are skipped and not counted. One alone stands among the keywords at
 * once; how many of several are new only the server knows.
 */
export function useAddSuggestedKeywords(topic: Topic) {
  const client = useQueryClient();
  return useOptimistic({
    call: (input: AddSuggestedInput) =>
      api<{ count: number }>("POST", `/api/topics/${topic.id}/add-suggested-keywords`, input),
    changes: ({ keywords: [first = "", ...others] }) => (others.length === 0 ? withKeyword(client, topic, first) : []),
    done: ({ count }) => `Added ${count} keywords`,
    failed: "Failed to add keywords",
    subject: ({ keywords }) => `suggested keywords:${topic.id}:${keywords.join()}`,
  });
}

/** Whether a keyword is shown, but not known to the server yet: it cannot be edited or deleted. */
export function isComing({ id }: KeywordOut): boolean {
  return id < 0;
}

let coming = 0;

/** A keyword more, first in its list as the newest is; none where the topic has it, which the server will say. */
function withKeyword(client: QueryClient, topic: Topic, keyword: string): Change[] {
  const has = (keywords: KeywordOut[]) => keywords.some((each) => keywordKey(each.keyword) === keywordKey(keyword));
  if (has(client.getQueryData<KeywordOut[]>(keys.keywords(topic.id)) ?? [])) return [];
  coming -= 1;
  const added: KeywordOut = { id: coming, topicId: topic.id, keyword, createdAt: new Date().toISOString() };
  return [
    change<KeywordOut[]>(keys.keywords(topic.id), (keywords) => (has(keywords) ? keywords : [added, ...keywords])),
    inTopicNumbers({ projectId: topic.projectId, topicId: topic.id }, "keywordCount", 1),
  ];
}

/** Always the status text, never the answer's own; where there was no answer, why there was none. */
function deleteFailure(error: Error): string {
  if (error instanceof ApiError) return `Failed to delete keyword: ${statusText(error.status)}`;
  return errorText(error, "The keyword was not deleted. Please try again.");
}
