import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, apiList, errorText } from "@/lib/client/api";
import { refetchNow, setAnswer } from "@/lib/client/invalidation";
import {
  editKeywordCount,
  editKeywords,
  editLibraryCounts,
  editPieces,
  editTopics,
  removeById,
  updateById,
} from "@/lib/client/list-edits";
import { type Edit, optimisticData } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";
import { saveRejectedText } from "@/lib/client/rejected-text";
import { statusText } from "@/lib/client/status-text";
import { toast, toastError } from "@/lib/client/toast";
import { useOptimisticMutation } from "@/lib/client/use-optimistic-mutation";
import type {
  AddSuggestedInput,
  CreateTopicInput,
  KeywordInput,
  KeywordOut,
  ListedTopic,
  TopicOut,
  UpdateTopicInput,
} from "@/lib/features/topics/schema";
import { comparisonKey, DESCRIPTION_START } from "@/lib/utils/text";

/** All topics of a project, with the starts of their descriptions and their counts of keywords and pieces. */
export function topicsQuery(projectId: number) {
  return queryOptions({
    queryKey: keys.topics(projectId),
    queryFn: () => apiList<ListedTopic>(`/api/projects/${projectId}/topics?description=${DESCRIPTION_START}`),
  });
}

/** One topic with its whole description. */
export function topicQuery(id: number) {
  return queryOptions({ queryKey: keys.topic(id), queryFn: () => api<TopicOut>("GET", `/api/topics/${id}`) });
}

/** All keywords of a topic. */
export function keywordsQuery(topicId: number) {
  return queryOptions({
    queryKey: keys.keywords(topicId),
    queryFn: () => apiList<KeywordOut>(`/api/topics/${topicId}/keywords`),
  });
}

export function useCreateTopic(projectId: number) {
  const client = useQueryClient();
  const subject = `new topic:${projectId}`;
  return useMutation({
    mutationFn: (input: CreateTopicInput) => api<TopicOut>("POST", `/api/projects/${projectId}/topics`, input),
    onSuccess: () => {
      toast({ title: "Success", description: "Topic created successfully", subject });
      // We await this: after the first topic another button opens the dialog, and gets the focus.
      return refetchNow(client, keys.topics(projectId));
    },
    onError: (error) => toastError(error, { fallback: "Failed to create topic", subject }),
  });
}

export function useUpdateTopic({ id }: { id: number }) {
  const client = useQueryClient();
  const subject = `topic:${id}`;
  return useMutation({
    mutationFn: (input: UpdateTopicInput) => api<TopicOut>("PATCH", `/api/topics/${id}`, input),
    onSuccess: (saved) => {
      toast({ title: "Success", description: "Topic updated successfully", subject });
      setAnswer(client, keys.topic(id), saved);
    },
    onError: (error) => toastError(error, { fallback: "Failed to update topic", subject }),
  });
}

/** Deletes a topic with everything in it. */
export function useDeleteTopic({ id, projectId }: Topic) {
  return useOptimisticMutation({
    mutationFn: () => api<void>("DELETE", `/api/topics/${id}`),
    edits: () => [
      editTopics(projectId, removeById(id)),
      editLibraryCounts(id, "all"),
      ...editPieces({ projectId, topicId: id }, (pieces) => pieces.filter(({ topicId }) => topicId !== id)),
    ],
    success: "Topic deleted successfully",
    failure: "Failed to delete topic",
    subject: () => `topic:${id}`,
  });
}

type Topic = { id: number; projectId: number };

/** Where rejected keywords are kept: new ones by their text, edited ones by their id. */
export const rejectedKeywords = {
  added: (topicId: number) => `/api/topics/${topicId}/keywords`,
  edited: (topicId: number) => `/api/topics/${topicId}/keywords/edited`,
};

export function useAddKeyword(topic: Topic) {
  const client = useQueryClient();
  return useOptimisticMutation({
    mutationFn: (input: KeywordInput) => api<KeywordOut>("POST", `/api/topics/${topic.id}/keywords`, input),
    edits: ({ keyword }) => addedKeyword(client, topic, keyword),
    success: "Keyword added successfully",
    failure: "Failed to add keyword",
    subject: ({ keyword }) => `new keyword:${topic.id}:${keyword}`,
    onRejected: ({ keyword }) => saveRejectedText(client, rejectedKeywords.added(topic.id), keyword, keyword),
  });
}

export function useUpdateKeyword({ id: topicId }: Topic) {
  const client = useQueryClient();
  return useOptimisticMutation({
    mutationFn: ({ id, keyword }: { id: number; keyword: string }) =>
      api<KeywordOut>("PATCH", `/api/keywords/${id}`, { keyword }),
    edits: ({ id, keyword }) => [editKeywords(topicId, updateById<KeywordOut>(id, { keyword }))],
    success: "Keyword updated successfully",
    failure: "Failed to update keyword",
    subject: ({ id }) => `keyword:${id}`,
    onRejected: ({ id, keyword }) => saveRejectedText(client, rejectedKeywords.edited(topicId), id, keyword),
  });
}

export function useDeleteKeyword(topic: Topic) {
  return useOptimisticMutation({
    mutationFn: (id: number) => api<void>("DELETE", `/api/keywords/${id}`),
    edits: (id) => [
      editKeywords(topic.id, removeById(id)),
      editKeywordCount({ projectId: topic.projectId, topicId: topic.id }, -1),
    ],
    success: "Keyword deleted successfully",
    failure: deleteFailure,
    subject: (id) => `keyword:${id}`,
  });
}

/**
 * Adds chosen suggestions; the server skips and does not count those the topic already has. Only a single one shows at once:
 * how many of several are new only the server knows.
 */
export function useAddSuggestedKeywords(topic: Topic) {
  const client = useQueryClient();
  return useOptimisticMutation({
    mutationFn: (input: AddSuggestedInput) =>
      api<{ count: number }>("POST", `/api/topics/${topic.id}/add-suggested-keywords`, input),
    edits: ({ keywords: [first = "", ...others] }) => (others.length === 0 ? addedKeyword(client, topic, first) : []),
    success: ({ count }, { keywords }) => addedSentence(count, keywords.length - count),
    failure: "Failed to add keywords",
    subject: ({ keywords }) => `suggested keywords:${topic.id}:${keywords.join()}`,
  });
}

function addedSentence(count: number, skipped: number): string {
  const added = `Added ${count} keywords`;
  return skipped > 0 ? `${added}. ${skipped} ${skipped === 1 ? "was" : "were"} in this topic already.` : added;
}

/** Is it shown before the server has given it an id? Then it cannot be edited or deleted yet. */
export function isTemporary({ id }: KeywordOut): boolean {
  return id < 0;
}

let lastTemporaryId = 0;

/** Puts the keyword on top of its list, as the newest. There is no edit where the topic has it: the server will say so. */
function addedKeyword(client: QueryClient, topic: Topic, keyword: string): Edit[] {
  const has = (keywords: KeywordOut[]) =>
    keywords.some((each) => comparisonKey(each.keyword) === comparisonKey(keyword));
  if (has(optimisticData<KeywordOut[]>(client, keys.keywords(topic.id)) ?? [])) return [];
  lastTemporaryId -= 1;
  const added = { id: lastTemporaryId, topicId: topic.id, keyword, createdAt: new Date().toISOString() };
  return [
    editKeywords(topic.id, (keywords) => (has(keywords) ? keywords : [added, ...keywords])),
    editKeywordCount({ projectId: topic.projectId, topicId: topic.id }, 1),
  ];
}

/** The status text by specification, never the server's sentence; without an answer, the reason. */
function deleteFailure(error: Error): string {
  if (error instanceof ApiError) return `Failed to delete keyword: ${statusText(error.status)}`;
  return errorText(error, "The keyword was not deleted. Please try again.");
}
