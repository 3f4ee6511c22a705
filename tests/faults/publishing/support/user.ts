import type { ContentOut } from "@/lib/features/content/schema";
import type { PublishAllOut, PublishInput } from "@/lib/features/publishing/schema";
import type { SiteOut } from "@/lib/features/sites/schema";
import type { Role } from "@/scripts/samples/wordpress/roles";
import type { FaultSite, SeenPost } from "@/tests/faults/publishing/support/site";
import type { Answer } from "@/tests/support/app";
import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

/** What a call for a piece answers. */
export type Outcome = Answer<ContentOut & { type?: string; error?: string; remoteChanged?: boolean }>;
export type AllOutcome = Answer<PublishAllOut & { type?: string; error?: string }>;
/** The user's answer when the app cannot tell whether an address is a site it knows. */
export type SiteAnswer = "same" | "other";

/** `token` ends its title and is in no other piece's. */
export type FaultyPiece = { id: string; token: string };
export type FaultyUser = Awaited<ReturnType<typeof newFaultyUser>>;

/** A user with `pieces` publishable pieces, connected to the site. */
export async function newFaultyUser(site: FaultSite, options: { pieces?: number; role?: Role; topic?: string } = {}) {
  const workspace = await newWorkspace({ topic: options.topic });
  const { caller, username } = workspace;
  const pieces: FaultyPiece[] = [];
  /** How the user answers SITE_UNCERTAIN. */
  let answerTo: (question: string) => SiteAnswer = () => "same";

  /** Calls once, and a second time with the user's answer if the app asks. */
  async function call<Out extends { type?: string }>(url: string, input: object = {}): Promise<Answer<Out>> {
    const first = await caller.post<Out>(url, input);
    const { type, error = "" }: { type?: string; error?: string } = first.body ?? {};
    return type === "SITE_UNCERTAIN" ? caller.post<Out>(url, { ...input, site: answerTo(error) }) : first;
  }

  const user = {
    ...workspace,
    pieces,
    /** The piece of this number, from 0. */
    piece(number: number): FaultyPiece {
      const piece = pieces[number];
      if (!piece) throw new Error(`There is no piece ${number}`);
      return piece;
    },
    answers(site: SiteAnswer | typeof answerTo) {
      answerTo = typeof site === "string" ? () => site : site;
    },
    async addPiece(body = `The first text of piece ${pieces.length} of ${username}.`): Promise<FaultyPiece> {
      const token = `${username} no ${pieces.length}`;
      // WordPress filters the ampersand of an author, and keeps that of an editor.
      const piece = { id: await newPiece(workspace, workspace, { title: `Peat & co ${token}`, body }), token };
      pieces.push(piece);
      return piece;
    },
    async connect(url: string, users: FaultSite["users"], role: Role = options.role ?? "editor") {
      const { username: wordpressUsername, applicationPassword: wordpressPassword } = users[role];
      const settings = { wordpressUrl: url, wordpressUsername, wordpressPassword };
      const { status, text } = await caller.patch("/api/user/settings", settings);
      if (status !== 200) throw new Error(`settings: ${status} ${text}`);
    },
    read: async ({ id }: FaultyPiece) => (await caller.get<ContentOut>(`/api/content/${id}`)).body,
    write: ({ id }: FaultyPiece, body: string) => caller.patch(`/api/content/${id}`, { body }),
    setStatus: ({ id }: FaultyPiece, status: string) => caller.patch<Outcome["body"]>(`/api/content/${id}`, { status }),
    remove: ({ id }: FaultyPiece) => caller.delete(`/api/content/${id}`),
    publish: ({ id }: FaultyPiece, input?: PublishInput): Promise<Outcome> => call(`/api/content/${id}/publish`, input),
    unpublish: ({ id }: FaultyPiece): Promise<Outcome> => call(`/api/content/${id}/unpublish`),
    sync: ({ id }: FaultyPiece): Promise<Outcome> => call(`/api/content/${id}/sync`),
    /** Tests the connection to an address that was just entered, answers if the app asks, and moves the project there. */
    async sayWhichSite() {
      const { question } = (await caller.post<{ question?: string | null }>("/api/wordpress/test")).body;
      if (question) await caller.post("/api/wordpress/test", { site: answerTo(question) });
      const [site] = (await caller.get<SiteOut[]>("/api/sites")).body;
      await caller.patch(`/api/projects/${workspace.projectId}`, { siteId: site?.id });
    },
    publishAll: (): Promise<AllOutcome> => call(`/api/projects/${workspace.projectId}/publish-all-to-wordpress`),
    /** Publishes every piece and expects it to work. */
    async publishEach() {
      for (const piece of pieces) {
        const { status, text } = await user.publish(piece);
        if (status !== 200) throw new Error(`publish: ${status} ${text}`);
      }
    },
    /** Resolves once nothing of this user is being published any more, not even in the background. */
    atRest: () =>
      eventually(
        () =>
          query("SELECT subject FROM leases WHERE kind IN ('publishing', 'bulk') AND user_id = $1 AND until > now()", [
            workspace.id,
          ]),
        (leases) => leases.length === 0,
        60_000,
      ),
  };
  await user.connect(site.url, site.users);
  for (let n = 0; n < (options.pieces ?? 1); n++) await user.addPiece();
  return user;
}

/** A piece's posts on a site, strays included, found by title or marker. */
export function postsOf(posts: SeenPost[], { id, token }: FaultyPiece): SeenPost[] {
  return posts.filter((post) => post.title.raw.endsWith(token) || post.slug.startsWith(`content-planner-${id}`));
}

/** What a round leaves on a site; a stray is a post of ours that is not public. */
export type Census = {
  pieces: number;
  public: number;
  strays: number;
  mostPerPiece: number;
  mostPublicPerPiece: number;
};

export async function census({ pieces }: Pick<FaultyUser, "pieces">, site: FaultSite): Promise<Census> {
  const posts = await site.posts();
  const each = pieces.map((piece) => postsOf(posts, piece));
  const live = each.map((found) => found.filter(({ status }) => status === "publish").length);
  const all = each.map((found) => found.length);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    pieces: pieces.length,
    public: sum(live),
    strays: sum(all) - sum(live),
    mostPerPiece: Math.max(0, ...all),
    mostPublicPerPiece: Math.max(0, ...live),
  };
}

/** One public post for each piece, and nothing else of ours. */
export function onePostEach(pieces: number): Census {
  return { pieces, public: pieces, strays: 0, mostPerPiece: 1, mostPublicPerPiece: 1 };
}

/** How many terms of this name the site has. */
export async function termsNamed(site: FaultSite, name: string): Promise<number> {
  return (await site.terms()).filter((term) => term.name.trim().toLowerCase() === name.toLowerCase()).length;
}
