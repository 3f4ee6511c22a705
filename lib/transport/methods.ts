/** Served from `public`. */
export const PUBLIC_FILES = ["/icon.svg", "/favicon.ico", "/manifest.webmanifest", "/robots.txt"];

/**
 * The methods of each API path, as Next names it. proxy.ts answers all others with 405 and must not load the routes to
 * find out. tests/api/methods.test.ts compares this table with the routes.
 */
export const METHODS: Readonly<Record<string, readonly string[]>> = {
  "/api/auth/[...nextauth]": ["GET", "POST"],
  "/api/buyer-personas/[id]": ["PATCH"],
  "/api/chat/message": ["POST"],
  "/api/chat/start": ["POST"],
  "/api/content/[id]/generate-from-outline": ["POST"],
  "/api/content/[id]/generate-outline": ["POST"],
  "/api/content/[id]/publish": ["POST"],
  "/api/content/[id]/revisions/[revisionId]/restore": ["POST"],
  "/api/content/[id]/revisions/[revisionId]": ["GET"],
  "/api/content/[id]/revisions": ["GET"],
  "/api/content/[id]/rewrite": ["POST"],
  "/api/content/[id]/stop-writing": ["POST"],
  "/api/content/[id]": ["GET", "PATCH", "DELETE"],
  "/api/content/[id]/sync": ["POST"],
  "/api/content/[id]/unpublish": ["POST"],
  "/api/content/groups": ["GET"],
  "/api/content": ["GET"],
  "/api/firebase-auth": ["POST"],
  "/api/health": ["GET"],
  "/api/inngest": ["GET", "POST", "PUT"],
  "/api/instructions/[id]": ["PATCH", "DELETE"],
  "/api/instructions": ["GET", "POST"],
  "/api/keywords/[id]": ["PATCH", "DELETE"],
  "/api/login": ["POST"],
  "/api/logout": ["POST"],
  "/api/openapi.json": ["GET"],
  "/api/password-reset/confirm": ["POST"],
  "/api/password-reset": ["POST"],
  "/api/projects/[id]/buyer-persona": ["GET", "POST"],
  "/api/projects/[id]/content": ["GET"],
  "/api/projects/[id]/generate-content-ideas": ["POST"],
  "/api/projects/[id]/publish-all-to-wordpress": ["POST"],
  "/api/projects/[id]/publishing-jobs": ["GET", "POST"],
  "/api/publishing-jobs/[id]": ["GET"],
  "/api/publishing-jobs/[id]/cancel": ["POST"],
  "/api/publishing-jobs/[id]/results": ["GET"],
  "/api/publishing-jobs/[id]/retry": ["POST"],
  "/api/projects/[id]": ["GET", "PATCH", "DELETE"],
  "/api/projects/[id]/topics/[topicId]/content": ["GET", "POST"],
  "/api/projects/[id]/topics": ["GET", "POST"],
  "/api/projects": ["GET", "POST"],
  "/api/queue/jobs/[id]/cancel": ["POST"],
  "/api/queue/jobs/[id]/retry": ["POST"],
  "/api/queue/resume": ["POST"],
  "/api/queue/status": ["GET"],
  "/api/ready": ["GET"],
  "/api/register": ["POST"],
  "/api/topics/[id]/add-suggested-keywords": ["POST"],
  "/api/topics/[id]/generate-all-content-queue": ["POST"],
  "/api/topics/[id]/generate-outline-queue": ["POST"],
  "/api/topics/[id]/keywords": ["GET", "POST"],
  "/api/topics/[id]": ["GET", "PATCH", "DELETE"],
  "/api/topics/[id]/suggest-keywords": ["POST"],
  "/api/user/export": ["GET"],
  "/api/user": ["GET", "PATCH", "DELETE"],
  "/api/user/sessions": ["GET", "DELETE"],
  "/api/user/settings": ["PATCH"],
  "/api/wordpress/categories": ["GET"],
  "/api/wordpress/test": ["POST"],
};

/** HEAD and OPTIONS included; undefined for an unknown path. */
export function allowedMethods(pathname: string): readonly string[] | undefined {
  const methods = METHODS[pathname] ?? PATTERNS.find(([pattern]) => pattern.test(pathname))?.[1];
  return methods && [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
}

/** Paths with parameters; exact paths win, as in Next. */
const PATTERNS = Object.entries(METHODS)
  .filter(([path]) => path.includes("["))
  .map(([path, methods]) => {
    const pattern = path.replace(/\/\[\.\.\.\w+\]/g, "/.+").replace(/\[\w+\]/g, "[^/]+");
    return [new RegExp(`^${pattern}$`), methods] as const;
  });
