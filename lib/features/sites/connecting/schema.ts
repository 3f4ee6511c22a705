import { z } from "zod";
import { NAME_MAX, PASSWORD_MAX, URL_MAX, USERNAME_MAX } from "@/lib/features/sites/rules";
import { text } from "@/lib/utils/zod";

export const connectInput = z.object({
  /** The site's address, as users type it. */
  url: text(URL_MAX, 1),
  /** A new site, or the id of the one that gets the address and password; absent: the default one. */
  target: z.union([z.literal("new"), z.uuid()]).optional(),
  /** What a new site is called. */
  name: text(NAME_MAX).optional(),
});

/**
 * Where to send the browser for the user's approval, or why the site would not send it back. WordPress does so over https
 * alone (`plain-http`), and only if its index names the page (`no-endpoint`).
 */
export const connectOut = z.object({
  authorizeUrl: z.url().nullable(),
  reason: z.enum(["plain-http", "no-endpoint"]).nullable(),
  /** Where the user makes a password to copy. */
  passwordsPage: z.url(),
});

export const connectedParams = z.object({ state: z.string() });

/**
 * What the browser comes back from WordPress with; nothing of it if the user did not approve. It is never refused by its form:
 * the answer would leave it in the browser's address bar.
 */
export const connectedQuery = z.object({
  site_url: z.string().optional(),
  user_login: z.string().optional(),
  password: z.string().optional(),
});

/** All that is needed, in lengths that can be stored. */
export const approval = z.object({
  site_url: z.string().max(URL_MAX),
  user_login: text(USERNAME_MAX, 1),
  password: text(PASSWORD_MAX, 1),
});

/** How it ended; the settings page shows a sentence for each. */
export const CONNECTING_OUTCOMES = ["ok", "rejected", "expired", "other-site", "forbidden", "failed"] as const;

export type ConnectInput = z.infer<typeof connectInput>;
export type ConnectOut = z.infer<typeof connectOut>;
export type ConnectedQuery = z.infer<typeof connectedQuery>;
export type ConnectingOutcome = (typeof CONNECTING_OUTCOMES)[number];
