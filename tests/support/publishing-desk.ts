import type { ContentOut } from "@/lib/features/content/schema";
import { query } from "@/tests/support/db";
import { newDesk, newPiece } from "@/tests/support/factories";
import type { SampleWordPress } from "@/tests/support/wordpress-site";

export type Failed = { type: string; error: string; detail?: string };
export type Piece = ContentOut & Failed;

/** The settings of somebody who publishes there. */
export function loginTo({ url, username, applicationPassword }: SampleWordPress) {
  return { wordpressUrl: url, wordpressUsername: username, wordpressPassword: applicationPassword };
}

/** A person with a project and a topic, whose site this is. */
export async function connectedDesk(site: SampleWordPress) {
  const desk = await newDesk();
  await desk.caller.patch("/api/user/settings", loginTo(site));
  return desk;
}

/** The same with a piece that can be published, and a look at what the site has of it. */
export async function deskWithPost(site: SampleWordPress, body = "## Alpha\n\nSome **bold** text.") {
  const desk = await connectedDesk(site);
  const contentId = await newPiece(desk, desk, { title: `A post ${desk.username}`, body });
  const url = `/api/content/${contentId}`;
  return {
    ...desk,
    contentId,
    url,
    publish: (input = {}) => desk.caller.post<Piece>(`${url}/publish`, input),
    read: async () => (await desk.caller.get<Piece>(url)).body,
    post: () => site.posts().filter((post) => JSON.stringify(post).includes(desk.username)),
  };
}

/** Writes that the site was sent while this was done. */
export async function writesOf(site: SampleWordPress, work: () => Promise<unknown>): Promise<string[]> {
  const before = site.requests.length;
  await work();
  return site.requests.slice(before).filter((request) => request.startsWith("POST"));
}

/** The lease of a piece runs out, as if its time had passed. */
export function runOut(pieceId: string) {
  return query("UPDATE leases SET until = now() WHERE kind = 'publishing' AND subject = $1", [pieceId]);
}

/**
 * Holds back the answer to the next request of this kind, such as `POST /wp/v2/posts`: the site has done it then.
 * `reached` resolves as soon as it has.
 */
export function holdAnswer(site: SampleWordPress, to: RegExp) {
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

/** Requests that a test holds back. */
export const CREATION = /^POST \/wp\/v2\/posts$/;
export const UPDATE = /^POST \/wp\/v2\/posts\/\d+$/;
