import "server-only";
import { randomBytes } from "node:crypto";
import type { Actor } from "@/lib/auth/actor";
import { hashToken } from "@/lib/auth/sessions";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { NO_ADDRESS, siteAddressOf } from "@/lib/features/account/settings/rules";
import {
  approval,
  type ConnectedQuery,
  type ConnectInput,
  type ConnectingOutcome,
  type ConnectOut,
} from "@/lib/features/sites/connecting/schema";
import { insertWaiting, takeWaiting, type Waiting } from "@/lib/features/sites/connecting/sql";
import { saveSettings } from "@/lib/features/sites/writes/settings";
import { authorizeAddress, authorizingSite, isExpectedSite, passwordsPage, refusalOf } from "@/lib/wordpress/authorize";
import { createWordPressClient } from "@/lib/wordpress/client";
import { discoverSite } from "@/lib/wordpress/discover";
import type { SiteCaller } from "@/lib/wordpress/exchange";
import { hasCode } from "@/lib/wordpress/failures";

/** Who asks: the session of the browser that WordPress sends back. */
type Asker = { actor: Actor | undefined; sessionToken: string | undefined };

/**
 * Finds the site and says where its user approves the connection, or why WordPress would not send the browser back. Throws
 * VALIDATION_ERROR and CONNECTION_ERROR, and writes nothing to the site.
 */
export async function beginConnecting(
  { actor, sessionToken }: Asker & { actor: Actor },
  { url }: ConnectInput,
  signal?: AbortSignal,
): Promise<ConnectOut> {
  if (!siteAddressOf(url))
    throw new AppError("VALIDATION_ERROR", { message: NO_ADDRESS, fields: { url: [NO_ADDRESS] } });
  const caller: SiteCaller = { userId: actor.userId, username: "", password: "", signal };
  const { apiRoot, home } = await discoverSite(url, caller);
  const said = await createWordPressClient({ ...caller, apiRoot })
    .readIndex({ asVisitor: true })
    .catch(ifMembersOnly);
  const site = authorizingSite(home, said);
  const page = passwordsPage(site);
  const reason = refusalOf(site, env.APP_URL);
  if (reason !== null || site.authorization === null) return { authorizeUrl: null, reason, passwordsPage: page };
  const state = randomBytes(32).toString("base64url");
  await insertWaiting(waitingOf(actor, sessionToken, state), { url: home, places: site.places });
  const returnTo = `${env.APP_URL}/api/wordpress/connected/${state}`;
  return { authorizeUrl: authorizeAddress(site.authorization, returnTo), reason, passwordsPage: page };
}

/** A site that tells visitors nothing does not name the page. */
function ifMembersOnly(error: unknown): null {
  if (hasCode(error, "rest_login_required", "rest_not_logged_in", "rest_forbidden")) return null;
  throw error;
}

/** Saves what the browser brought back from WordPress, if this session asked this site for it, at most once. */
export async function finishConnecting(
  { actor, sessionToken }: Asker,
  state: string,
  query: ConnectedQuery,
): Promise<ConnectingOutcome> {
  const site = actor && (await takeWaiting(waitingOf(actor, sessionToken, state)));
  if (!site) return "expired";
  const { data } = approval.safeParse(query);
  if (!data) return "rejected";
  if (!isExpectedSite(data.site_url, site.places)) return "other-site";
  await saveConnection(actor, { url: site.url, username: data.user_login, password: data.password });
  return "ok";
}

function waitingOf({ userId }: Actor, sessionToken: string | undefined, state: string): Waiting {
  if (!sessionToken) throw new AppError("UNAUTHENTICATED");
  return { id: hashToken(state), userId, session: hashToken(sessionToken) };
}

type Connection = { url: string; username: string; password: string };

/** The site becomes the one in the user's settings. */
async function saveConnection(actor: Actor, { url, username, password }: Connection): Promise<void> {
  await saveSettings(actor, { wordpressUrl: url, wordpressUsername: username, wordpressPassword: password });
}
