type Filter = Record<string, string | number | undefined>;

/** The keys of local state begin with this. It goes with the rest of the cache when another user signs in. */
export const LOCAL_STATE = "local";

/** Every query's key starts with its address, which the default query function GETs. */
export const keys = {
  user: () => ["/api/user"] as const,
  sessions: () => ["/api/user/sessions"] as const,
  instructions: () => ["/api/instructions"] as const,
  projects: () => ["/api/projects"] as const,
  projectSearch: (search: string) => ["/api/projects", { search }] as const,
  project: (id: number) => [`/api/projects/${id}`] as const,
  persona: (projectId: number) => [`/api/projects/${projectId}/buyer-persona`] as const,
  topics: (projectId: number) => [`/api/projects/${projectId}/topics`] as const,
  topic: (id: number) => [`/api/topics/${id}`] as const,
  keywords: (topicId: number) => [`/api/topics/${topicId}/keywords`] as const,
  projectContent: (projectId: number) => [`/api/projects/${projectId}/content`] as const,
  topicContent: (projectId: number, topicId: number) =>
    [`/api/projects/${projectId}/topics/${topicId}/content`] as const,
  content: (id: string) => [`/api/content/${id}`] as const,
  neighbours: (id: string) => [`/api/content/${id}/neighbours`] as const,
  unfinished: (id: string) => [`/api/content/${id}/unfinished`] as const,
  renderingChanges: (id: string) => [`/api/content/${id}/rendering-changes`] as const,
  projectRenderingChanges: (projectId: number, filter: Filter) =>
    [`/api/projects/${projectId}/rendering-changes`, filter] as const,
  revisions: (id: string) => [`/api/content/${id}/revisions`] as const,
  revision: (id: string, revisionId: string) => [`/api/content/${id}/revisions/${revisionId}`] as const,
  allLibrary: () => ["/api/content"] as const,
  library: (filter: Filter) => ["/api/content", filter] as const,
  allLibraryGroups: () => ["/api/content/groups"] as const,
  libraryGroups: (filter: Filter) => ["/api/content/groups", filter] as const,
  allReviews: () => ["/api/content/reviews"] as const,
  reviews: (filter: Filter) => ["/api/content/reviews", filter] as const,
  search: (text: string) => ["/api/search", { text }] as const,
  queueStatus: () => ["/api/queue/status"] as const,
  jobTexts: (jobId: string) => [`/api/queue/jobs/${jobId}/texts`] as const,
  queueItems: (filter: Filter) => ["/api/queue/items", filter] as const,
  publishingJobs: () => ["/api/publishing-jobs"] as const,
  publishingJob: (projectId: number) => [`/api/projects/${projectId}/publishing-jobs`] as const,
  publishingCounts: () => ["/api/publishing-counts"] as const,
  publishingResults: (jobId: string, filter: Filter) => [`/api/publishing-jobs/${jobId}/results`, filter] as const,
  sites: () => ["/api/sites"] as const,
  categories: () => ["/api/wordpress/categories"] as const,
  categoriesOf: (filter: Filter) => ["/api/wordpress/categories", filter] as const,

  // Local state, not fetched from anywhere.
  rejectedTexts: (place: string) => [LOCAL_STATE, "rejected-texts", place] as const,
  writing: (contentId: string) => [LOCAL_STATE, "writing", contentId] as const,
  suggestions: (topicId: number) => [LOCAL_STATE, "suggestions", topicId] as const,
  followedPublishing: () => [LOCAL_STATE, "followed-publishing"] as const,
};
