import type { ContentOut } from "@/lib/features/content/schema";
import type { SiteOut } from "@/lib/features/sites/schema";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

export type Failed = { type: string; error: string; detail?: string };
export type Piece = ContentOut & Failed;

/** Settings of a user of this site. */
export function siteSettings({ url, username, applicationPassword }: SampleWordPress) {
  return { wordpressUrl: url, wordpressUsername: username, wordpressPassword: applicationPassword };
}

/** A user with a project and a topic, connected to this site. */
export async function connectedWorkspace(site: SampleWordPress) {
  const workspace = await newWorkspace();
  await workspace.caller.patch("/api/user/settings", siteSettings(site));
  return workspace;
}

/** Moves the user's project to this site, which is added unless it was before. Returns the site's id. */
export async function moveTo(
  { caller, projectId }: Pick<Awaited<ReturnType<typeof newWorkspace>>, "caller" | "projectId">,
  { url, username, applicationPassword: password }: SampleWordPress,
): Promise<string> {
  const known = (await caller.get<SiteOut[]>("/api/sites")).body.find((site) => site.url === url);
  const { id } = known ?? (await caller.post<SiteOut>("/api/sites", { url, username, password })).body;
  expect((await caller.patch(`/api/projects/${projectId}`, { siteId: id })).status).toBe(200);
  return id;
}

/** The same with a publishable piece, and helpers to look at its post. */
export async function workspaceWithPost(site: SampleWordPress, body = "## Alpha\n\nSome **bold** text.") {
  const workspace = await connectedWorkspace(site);
  const contentId = await newPiece(workspace, workspace, { title: `A post ${workspace.username}`, body });
  const url = `/api/content/${contentId}`;
  return {
    ...workspace,
    contentId,
    url,
    publish: (input = {}) => workspace.caller.post<Piece>(`${url}/publish`, input),
    read: async () => (await workspace.caller.get<Piece>(url)).body,
    post: () => site.posts().filter((post) => JSON.stringify(post).includes(workspace.username)),
  };
}

/** The writes sent to the site during `work`. */
export async function writesOf(site: SampleWordPress, work: () => Promise<unknown>): Promise<string[]> {
  const before = site.requests.length;
  await work();
  return site.requests.slice(before).filter((request) => request.startsWith("POST"));
}

/** Expires a piece's lease. */
export function expireLease(pieceId: string) {
  return query("UPDATE leases SET until = now() - interval '1 second' WHERE kind = 'publishing' AND subject = $1", [
    pieceId,
  ]);
}

/**
 * Delays the response to the next matching request, such as `POST /wp/v2/posts`, after the site has processed it.
 * `reached` resolves at that point.
 */
export function holdResponse(site: SampleWordPress, to: RegExp) {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    site.faults.answerAfter = ({ method, route }) => {
      if (!to.test(`${method} ${route}`)) return undefined;
      site.faults.answerAfter = null;
      resolve();
      return opened;
    };
  });
  return { reached, open };
}

/** Requests whose response a test delays. */
export const CREATION = /^POST \/wp\/v2\/posts$/;
export const UPDATE = /^POST \/wp\/v2\/posts\/\d+$/;
