import * as buyerPersonasById from "@/app/api/buyer-personas/[id]/route";
import * as chatMessage from "@/app/api/chat/message/route";
import * as chatStart from "@/app/api/chat/start/route";
import * as contentByIdGenerateFromOutline from "@/app/api/content/[id]/generate-from-outline/route";
import * as contentByIdGenerateOutline from "@/app/api/content/[id]/generate-outline/route";
import * as contentByIdPublish from "@/app/api/content/[id]/publish/route";
import * as contentByIdRevisionsByRevisionIdRestore from "@/app/api/content/[id]/revisions/[revisionId]/restore/route";
import * as contentByIdRevisionsByRevisionId from "@/app/api/content/[id]/revisions/[revisionId]/route";
import * as contentByIdRevisions from "@/app/api/content/[id]/revisions/route";
import * as contentByIdRewrite from "@/app/api/content/[id]/rewrite/route";
import * as contentById from "@/app/api/content/[id]/route";
import * as contentByIdStopWriting from "@/app/api/content/[id]/stop-writing/route";
import * as contentByIdSync from "@/app/api/content/[id]/sync/route";
import * as contentByIdUnpublish from "@/app/api/content/[id]/unpublish/route";
import * as contentGroups from "@/app/api/content/groups/route";
import * as content from "@/app/api/content/route";
import * as firebaseAuth from "@/app/api/firebase-auth/route";
import * as health from "@/app/api/health/route";
import * as instructionsById from "@/app/api/instructions/[id]/route";
import * as instructions from "@/app/api/instructions/route";
import * as keywordsById from "@/app/api/keywords/[id]/route";
import * as login from "@/app/api/login/route";
import * as logout from "@/app/api/logout/route";
import * as passwordResetConfirm from "@/app/api/password-reset/confirm/route";
import * as passwordReset from "@/app/api/password-reset/route";
import * as projectsByIdBuyerPersona from "@/app/api/projects/[id]/buyer-persona/route";
import * as projectsByIdContent from "@/app/api/projects/[id]/content/route";
import * as projectsByIdGenerateContentIdeas from "@/app/api/projects/[id]/generate-content-ideas/route";
import * as projectsByIdPublishAllToWordpress from "@/app/api/projects/[id]/publish-all-to-wordpress/route";
import * as projectsByIdPublishingJobs from "@/app/api/projects/[id]/publishing-jobs/route";
import * as projectsById from "@/app/api/projects/[id]/route";
import * as projectsByIdTopicsByTopicIdContent from "@/app/api/projects/[id]/topics/[topicId]/content/route";
import * as projectsByIdTopics from "@/app/api/projects/[id]/topics/route";
import * as projects from "@/app/api/projects/route";
import * as publishingJobsByIdCancel from "@/app/api/publishing-jobs/[id]/cancel/route";
import * as publishingJobsByIdResults from "@/app/api/publishing-jobs/[id]/results/route";
import * as publishingJobsByIdRetry from "@/app/api/publishing-jobs/[id]/retry/route";
import * as publishingJobsById from "@/app/api/publishing-jobs/[id]/route";
import * as queueJobsByIdCancel from "@/app/api/queue/jobs/[id]/cancel/route";
import * as queueJobsByIdRetry from "@/app/api/queue/jobs/[id]/retry/route";
import * as queueResume from "@/app/api/queue/resume/route";
import * as queueStatus from "@/app/api/queue/status/route";
import * as ready from "@/app/api/ready/route";
import * as register from "@/app/api/register/route";
import * as topicsByIdAddSuggestedKeywords from "@/app/api/topics/[id]/add-suggested-keywords/route";
import * as topicsByIdGenerateAllContentQueue from "@/app/api/topics/[id]/generate-all-content-queue/route";
import * as topicsByIdGenerateOutlineQueue from "@/app/api/topics/[id]/generate-outline-queue/route";
import * as topicsByIdKeywords from "@/app/api/topics/[id]/keywords/route";
import * as topicsById from "@/app/api/topics/[id]/route";
import * as topicsByIdSuggestKeywords from "@/app/api/topics/[id]/suggest-keywords/route";
import * as userExport from "@/app/api/user/export/route";
import * as user from "@/app/api/user/route";
import * as userSessions from "@/app/api/user/sessions/route";
import * as userSettings from "@/app/api/user/settings/route";
import * as wordpressCategories from "@/app/api/wordpress/categories/route";
import * as wordpressTest from "@/app/api/wordpress/test/route";
import type { ExternalProtocol } from "@/lib/transport/openapi";

/** Every documented path with its handlers. A test fails if a route is missing. */
export const operations = {
  "/api/buyer-personas/[id]": buyerPersonasById,
  "/api/chat/message": chatMessage,
  "/api/chat/start": chatStart,
  "/api/content/[id]/generate-from-outline": contentByIdGenerateFromOutline,
  "/api/content/[id]/generate-outline": contentByIdGenerateOutline,
  "/api/content/[id]/publish": contentByIdPublish,
  "/api/content/[id]/revisions/[revisionId]/restore": contentByIdRevisionsByRevisionIdRestore,
  "/api/content/[id]/revisions/[revisionId]": contentByIdRevisionsByRevisionId,
  "/api/content/[id]/revisions": contentByIdRevisions,
  "/api/content/[id]/rewrite": contentByIdRewrite,
  "/api/content/[id]": contentById,
  "/api/content/[id]/stop-writing": contentByIdStopWriting,
  "/api/content/[id]/sync": contentByIdSync,
  "/api/content/[id]/unpublish": contentByIdUnpublish,
  "/api/content/groups": contentGroups,
  "/api/content": content,
  "/api/firebase-auth": firebaseAuth,
  "/api/health": health,
  "/api/instructions/[id]": instructionsById,
  "/api/instructions": instructions,
  "/api/keywords/[id]": keywordsById,
  "/api/login": login,
  "/api/logout": logout,
  "/api/password-reset/confirm": passwordResetConfirm,
  "/api/password-reset": passwordReset,
  "/api/projects/[id]/buyer-persona": projectsByIdBuyerPersona,
  "/api/projects/[id]/content": projectsByIdContent,
  "/api/projects/[id]/generate-content-ideas": projectsByIdGenerateContentIdeas,
  "/api/projects/[id]/publish-all-to-wordpress": projectsByIdPublishAllToWordpress,
  "/api/projects/[id]/publishing-jobs": projectsByIdPublishingJobs,
  "/api/publishing-jobs/[id]": publishingJobsById,
  "/api/publishing-jobs/[id]/cancel": publishingJobsByIdCancel,
  "/api/publishing-jobs/[id]/results": publishingJobsByIdResults,
  "/api/publishing-jobs/[id]/retry": publishingJobsByIdRetry,
  "/api/projects/[id]": projectsById,
  "/api/projects/[id]/topics/[topicId]/content": projectsByIdTopicsByTopicIdContent,
  "/api/projects/[id]/topics": projectsByIdTopics,
  "/api/projects": projects,
  "/api/queue/jobs/[id]/cancel": queueJobsByIdCancel,
  "/api/queue/jobs/[id]/retry": queueJobsByIdRetry,
  "/api/queue/resume": queueResume,
  "/api/queue/status": queueStatus,
  "/api/ready": ready,
  "/api/register": register,
  "/api/topics/[id]/add-suggested-keywords": topicsByIdAddSuggestedKeywords,
  "/api/topics/[id]/generate-all-content-queue": topicsByIdGenerateAllContentQueue,
  "/api/topics/[id]/generate-outline-queue": topicsByIdGenerateOutlineQueue,
  "/api/topics/[id]/keywords": topicsByIdKeywords,
  "/api/topics/[id]": topicsById,
  "/api/topics/[id]/suggest-keywords": topicsByIdSuggestKeywords,
  "/api/user/export": userExport,
  "/api/user": user,
  "/api/user/sessions": userSessions,
  "/api/user/settings": userSettings,
  "/api/wordpress/categories": wordpressCategories,
  "/api/wordpress/test": wordpressTest,
};

/** Routes with a protocol of their own. */
export const externalProtocols = {
  "/api/auth/[...nextauth]": {
    operationIds: { GET: "getNextAuth", POST: "postNextAuth" },
    summary: "Sign-in with Google, as next-auth documents it.",
  },
  "/api/inngest": {
    operationIds: { GET: "introspectInngest", POST: "invokeInngest", PUT: "registerInngest" },
    summary: "Signed calls of background functions, as Inngest documents them.",
  },
} satisfies Record<string, ExternalProtocol>;
