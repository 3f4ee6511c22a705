import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import type {
  AddSuggestedInput,
  CreateTopicInput,
  KeywordInput,
  KeywordOut,
  TopicOut,
  UpdateTopicInput,
} from "@/lib/features/topics/schema";

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
  return useMutation({
    mutationFn: (input: CreateTopicInput) => api<TopicOut>("POST", `/api/projects/${projectId}/topics`, input),
    onSuccess: async () => {
      toast({ title: "Success", description: "Topic created successfully" });
      await client.invalidateQueries({ queryKey: keys.topics(projectId) });
    },
    onError: (error) => toastError(error, { fallback: "Failed to create topic" }),
  });
}

export function useUpdateTopic(topic: { id: number; projectId: number }) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateTopicInput) => api<TopicOut>("PATCH", `/api/topics/${topic.id}`, input),
    onSuccess: async () => {
      toast({ title: "Success", description: "Topic updated successfully" });
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.topics(topic.projectId) }),
        client.invalidateQueries({ queryKey: keys.allLibraryGroups() }),
      ]);
    },
    onError: (error) => toastError(error, { fallback: "Failed to update topic" }),
  });
}

export function useDeleteTopic(topic: { id: number; projectId: number }) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api<void>("DELETE", `/api/topics/${topic.id}`),
    onSuccess: async () => {
      toast({ title: "Success", description: "Topic deleted successfully" });
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.topics(topic.projectId) }),
        client.invalidateQueries({ queryKey: keys.projectContent(topic.projectId) }),
        client.invalidateQueries({ queryKey: keys.allLibrary() }),
        client.invalidateQueries({ queryKey: keys.allLibraryGroups() }),
      ]);
    },
    onError: (error) => toastError(error, { fallback: "Failed to delete topic" }),
  });
}

type Topic = { id: number; projectId: number };

export function useAddKeyword(topic: Topic) {
  const refresh = useRefreshKeywords(topic);
  return useMutation({
    mutationFn: (input: KeywordInput) => api<KeywordOut>("POST", `/api/topics/${topic.id}/keywords`, input),
    onSuccess: async () => {
      toast({ title: "Success", description: "Keyword added successfully" });
      await refresh();
    },
    onError: (error) => toastError(error, { fallback: "Failed to add keyword" }),
  });
}

export function useUpdateKeyword(topic: Topic) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, keyword }: { id: number; keyword: string }) =>
      api<KeywordOut>("PATCH", `/api/keywords/${id}`, { keyword }),
    onSuccess: async () => {
      toast({ title: "Success", description: "Keyword updated successfully" });
      await client.invalidateQueries({ queryKey: keys.keywords(topic.id) });
    },
    onError: (error) => toastError(error, { fallback: "Failed to update keyword" }),
  });
}

export function useDeleteKeyword(topic: Topic) {
  const refresh = useRefreshKeywords(topic);
  return useMutation({
    mutationFn: (id: number) => api<void>("DELETE", `/api/keywords/${id}`),
    onSuccess: async () => {
      toast({ title: "Success", description: "Keyword deleted successfully" });
      await refresh();
    },
    onError: (error) => toastError(error, { fallback: `Failed to delete keyword: ${statusText(error)}` }),
  });
}

/** Adds chosen suggestions; those the topic has already are skipped and not counted. */
export function useAddSuggestedKeywords(topic: Topic) {
  const refresh = useRefreshKeywords(topic);
  return useMutation({
    mutationFn: (input: AddSuggestedInput) =>
      api<{ count: number }>("POST", `/api/topics/${topic.id}/add-suggested-keywords`, input),
    onSuccess: ({ count }) => {
      toast({ title: "Success", description: `Added ${count} keywords` });
      // Not waited for: what was added leaves the list of suggestions at once.
      void refresh();
    },
    onError: (error) => toastError(error, { fallback: "Failed to add keywords" }),
  });
}

/** Refreshes a topic's keywords, and the topics of its project for their numbers. */
export function useRefreshKeywords(topic: Topic): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.keywords(topic.id) }),
      client.invalidateQueries({ queryKey: keys.topics(topic.projectId) }),
    ]);
}

function statusText(error: Error): string {
  return error instanceof ApiError ? error.text : error.message;
}
