type Filter = Record<string, string | number | undefined>;

/** Every query's key: the address first, so that the default query function can GET it. */
export const keys = {
  user: () => ["/api/user"] as const,
  sessions: () => ["/api/user/sessions"] as const,
  projects: () => ["/api/projects"] as const,
  project: (id: number) => [`/api/projects/${id}`] as const,
  persona: (projectId: number) => [`/api/projects/${projectId}/buyer-persona`] as const,
  topics: (projectId: number) => [`/api/projects/${projectId}/topics`] as const,
  keywords: (topicId: number) => [`/api/topics/${topicId}/keywords`] as const,
  projectContent: (projectId: number) => [`/api/projects/${projectId}/content`] as const,
  topicContent: (projectId: number, topicId: number) =>
    [`/api/projects/${projectId}/topics/${topicId}/content`] as const,
  content: (id: string) => [`/api/content/${id}`] as const,
  revisions: (id: string) => [`/api/content/${id}/revisions`] as const,
  revision: (id: string, revisionId: string) => [`/api/content/${id}/revisions/${revisionId}`] as const,
  allLibrary: () => ["/api/content"] as const,
  library: (filter: Filter) => ["/api/content", filter] as const,
  allLibraryGroups: () => ["/api/content/groups"] as const,
  libraryGroups: (filter: Filter) => ["/api/content/groups", filter] as const,
  queueStatus: () => ["/api/queue/status"] as const,
  /** Not fetched from anywhere: see lib/client/unsaved.ts. */
  allUnsaved: () => ["unsaved"] as const,
  unsaved: (place: string) => ["unsaved", place] as const,
  /** Nor these: what the AI is writing of a piece (lib/features/generation/client.ts). */
  allWriting: () => ["writing"] as const,
  writing: (contentId: string) => ["writing", contentId] as const,
  /** Neither are these: see components/topics/suggestion-state.ts. */
  allSuggestions: () => ["suggestions"] as const,
  suggestions: (topicId: number) => ["suggestions", topicId] as const,
  categories: () => ["/api/wordpress/categories"] as const,
};
