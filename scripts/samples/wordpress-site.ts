import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PASSWORDS } from "@/scripts/samples/wordpress/accounts";
import { type Faults, noFaults } from "@/scripts/samples/wordpress/faults";
import type { RestContext } from "@/scripts/samples/wordpress/rest-answers";
import { trashPost } from "@/scripts/samples/wordpress/rest-posts";
import type { SiteUsers } from "@/scripts/samples/wordpress/roles";
import { serve } from "@/scripts/samples/wordpress/serve";
import { createStore, type Saved, type StoredPost } from "@/scripts/samples/wordpress/store";

export type SampleWordPressOptions = {
  /** The port; a free one by default. */
  port?: number;
  /** Persists posts and categories across restarts. */
  dataFile?: string;
  permalinks?: "pretty" | "plain";
  /** Path with a leading slash: `/blog`. */
  subdirectory?: string;
  faults?: Partial<Faults>;
  /** Posts with this word in their title are refused. */
  refusedWord?: string;
  /** What it begins with, such as the content of another site. */
  initial?: Saved;
  clock?: () => Date;
};

export type SampleWordPress = {
  url: string;
  /** An editor's credentials. */
  username: string;
  applicationPassword: string;
  /** Credentials for every role. */
  users: SiteUsers;
  /** Change its members to make the site misbehave. */
  faults: Faults;
  /** All posts in any status, oldest first. */
  posts(): StoredPost[];
  /** Requests to the REST API so far, such as `POST /wp/v2/posts`. */
  requests: string[];
  /** What another user does on the site meanwhile. */
  trash(id: number): void;
  remove(id: number): void;
  edit(id: number, fields: Partial<StoredPost>): void;
  setPermalinks(kind: "pretty" | "plain"): void;
  /** Registers these keys of posts, and no others, as a plugin does; `isWritable` false for one that lets nobody write them. */
  registerMeta(keys: readonly string[], isWritable?: boolean): void;
  /** Activates SEOPress, which has routes of its own, or deactivates it. */
  setSeoPress(isActive: boolean): void;
  /** A staging copy at an address of its own; its posts keep their ids, guids and dates. */
  copy(): Promise<SampleWordPress>;
  close(): Promise<void>;
};

/** A simulated WordPress for the demo and tests: its REST API and public pages, on 127.0.0.1. */
export async function startSampleWordPress(options: SampleWordPressOptions = {}): Promise<SampleWordPress> {
  const { permalinks = "pretty", subdirectory = "", dataFile, clock = () => new Date() } = options;
  const store = createStore({ dataFile, initial: options.initial, clock });
  const faults = { ...noFaults(), ...options.faults };
  const requests: string[] = [];
  const context: RestContext = {
    store,
    permalinks,
    siteUrl: "",
    restRoot: "",
    refusedWord: options.refusedWord,
    meta: NO_META,
    hasSeoPress: false,
  };
  const server = createServer((request, response) => {
    serve({ context, faults, requests, subdirectory }, request, response).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  const port = await listen(server, options.port ?? 0);
  context.siteUrl = `http://127.0.0.1:${port}${subdirectory}`;
  const setPermalinks = (kind: "pretty" | "plain") => {
    context.permalinks = kind;
    context.restRoot = kind === "pretty" ? `${context.siteUrl}/wp-json/` : `${context.siteUrl}/index.php?rest_route=/`;
  };
  setPermalinks(permalinks);
  // Posts from an older file may have no guid.
  for (const post of store.posts.values()) post.guid ??= `${context.siteUrl}/?p=${post.id}`;

  const stored = (id: number) => {
    const post = store.posts.get(id);
    if (!post) throw new Error(`The sample site has no post ${id}`);
    return post;
  };
  return {
    url: context.siteUrl,
    ...PASSWORDS.editor,
    users: PASSWORDS,
    faults,
    posts: () => [...store.posts.values()],
    requests,
    trash: (id) => trashPost(context, stored(id)),
    remove(id) {
      store.posts.delete(stored(id).id);
      store.save();
    },
    edit(id, fields) {
      Object.assign(stored(id), fields, { modified: store.now() });
      store.save();
    },
    setPermalinks,
    registerMeta(keys, isWritable = true) {
      context.meta = { keys, isWritable };
    },
    setSeoPress(isActive) {
      context.hasSeoPress = isActive;
    },
    copy: () => startSampleWordPress({ permalinks: context.permalinks, subdirectory, clock, initial: store.copy() }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const NO_META = { keys: [], isWritable: true };

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
