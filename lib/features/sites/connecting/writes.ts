import "server-only";
import { randomBytes } from "node:crypto";
import type { Actor } from "@/lib/auth/actor";
import { hashToken } from "@/lib/auth/sessions";
import { env } from "@/lib/env";
import { AppError, isAppError } from "@/lib/errors";
import {
  approval,
  type ConnectedQuery,
  type ConnectInput,
  type ConnectingOutcome,
  type ConnectOut,
} from "@/lib/features/sites/connecting/schema";
import { type ExpectedSite, insertWaiting, takeWaiting, type Waiting } from "@/lib/features/sites/connecting/sql";
import { ownedSite } from "@/lib/features/sites/reads";
import { NO_ADDRESS, siteAddressOf } from "@/lib/features/sites/rules";
import { addSite, assertAddable, updateSite } from "@/lib/features/sites/writes/manage";
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
 * VALIDATION_ERROR, CONNECTION_ERROR, DUPLICATE for a new site that is among the user's, and NOT_FOUND for one that is not; writes
 * nothing to the site.
 */
export async function beginConnecting(
  { actor, sessionToken }: Asker & { actor: Actor },
  { url, target, name }: ConnectInput,
  signal?: AbortSignal,
): Promise<ConnectOut> {
  if (!siteAddressOf(url))
    throw new AppError("VALIDATION_ERROR", { message: NO_ADDRESS, fields: { url: [NO_ADDRESS] } });
  if (target !== undefined && target !== "new") await ownedSite(actor, target);
  const caller: SiteCaller = { userId: actor.userId, username: "", password: "", signal };
  const { apiRoot, home } = await discoverSite(url, caller);
  const said = await createWordPressClient({ ...caller, apiRoot })
    .readIndex({ asVisitor: true })
    .catch(ifMembersOnly);
  const site = authorizingSite(home, said);
  if (target === "new") await assertAddable(actor, site.places);
  const page = passwordsPage(site);
  const reason = refusalOf(site, env.APP_URL);
  if (reason !== null || site.authorization === null) return { authorizeUrl: null, reason, passwordsPage: page };
  const state = randomBytes(32).toString("base64url");
  const expected = { url: home, places: site.places, target: target ?? null, name: name ?? null };
  await insertWaiting(waitingOf(actor, sessionToken, state), expected);
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
  return saveConnection(actor, site, { url: site.url, username: data.user_login, password: data.password });
}

function waitingOf({ userId }: Actor, sessionToken: string | undefined, state: string): Waiting {
  if (!sessionToken) throw new AppError("UNAUTHENTICATED");
  return { id: hashToken(state), userId, session: hashToken(sessionToken) };
}

type Login = { url: string; username: string; password: string };

async function saveConnection(actor: Actor, site: ExpectedSite, login: Login): Promise<ConnectingOutcome> {
  const { url, username, password } = login;
  try {
    if (site.target === null)
      await saveSettings(actor, { wordpressUrl: url, wordpressUsername: username, wordpressPassword: password });
    else if (site.target === "new") await addSite(actor, { ...login, name: site.name });
    else await updateSite(actor, site.target, login);
    return "ok";
  } catch (error) {
    if (isAppError(error, "WORDPRESS_FORBIDDEN")) return "forbidden";
    throw error;
  }
}
