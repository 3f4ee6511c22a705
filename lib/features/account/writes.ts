import "server-only";
import { audit } from "@/lib/audit/audit";
import { type Actor, actorOfSignIn, type Origin } from "@/lib/auth/actor";
import { hashPassword, isCommonPassword, verifyPassword } from "@/lib/auth/password";
import { createSession, endSession, type NewSession } from "@/lib/auth/sessions";
import { seal } from "@/lib/crypto/secret-box";
import { Prisma, prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { readAccount } from "@/lib/features/account/reads";
import { keyHint, normalizeSiteUrl } from "@/lib/features/account/rules";
import type { LoginInput, RegisterInput, SettingsInput, UserOut } from "@/lib/features/account/schema";
import { countHits, forgiveHits, type Hit } from "@/lib/limits/limits";
import { isBlank } from "@/lib/utils/text";

export type SignedIn = { user: UserOut; session: NewSession };

const WRONG_LOGIN = "The username or password is not right. Check both, then try again.";

/**
 * Signs in with user name or e-mail and password. A wrong name and a wrong password are one answer in the same time:
 * without an account a dummy hash is verified. Failures are limited; throws UNAUTHENTICATED or RATE_LIMITED.
 */
export async function signIn(input: LoginInput, origin: Origin): Promise<SignedIn> {
  const hits = loginHits(input.username, origin.address);
  await countHits(...hits);
  const name = input.username.toLowerCase();
  const row = await prisma.user.findFirst({
    where: { OR: [{ usernameKey: name }, { email: name }], disabledAt: null },
    orderBy: { createdAt: "asc" },
    select: { id: true, password: true },
  });
  if (!(await verifyPassword(row?.password, input.password)) || !row) {
    await audit({ userId: row?.id ?? null, origin, action: "session.sign_in_failed" });
    throw new AppError("UNAUTHENTICATED", { message: WRONG_LOGIN });
  }
  await forgiveHits(...hits);
  return startSession(row.id, origin, "session.signed_in");
}

function loginHits(username: string, address: string): Hit[] {
  const account = username.toLowerCase();
  return [
    { name: "loginAccountAddress", subject: `${account} ${address}` },
    { name: "loginAccount", subject: account },
    { name: "loginAddress", subject: address },
  ];
}

/** Creates an account and signs it in. Throws DUPLICATE on the field that is taken. */
export async function register(input: RegisterInput, origin: Origin): Promise<SignedIn> {
  await countHits({ name: "registerAddress", subject: origin.address });
  if (isCommonPassword(input.password)) {
    const sentence = "This password is one of the most common ones. Choose another.";
    throw new AppError("VALIDATION_ERROR", { message: sentence, fields: { password: [sentence] } });
  }
  const password = await hashPassword(input.password);
  const data = { username: input.username, email: input.email ?? null, password };
  const user = await prisma.user.create({ data, select: { id: true } }).catch((error: unknown) => {
    throw takenError(error) ?? error;
  });
  return startSession(user.id, origin, "account.registered");
}

async function startSession(
  userId: string,
  origin: Origin,
  action: "session.signed_in" | "account.registered",
): Promise<SignedIn> {
  const session = await createSession(userId);
  await audit({ userId, origin, action });
  return { user: await readAccount(actorOfSignIn(userId, origin)), session };
}

/** Ends the session this token belongs to. */
export async function signOut(actor: Actor | undefined, token: string | undefined, origin: Origin): Promise<void> {
  if (token) await endSession(token);
  if (actor) await audit({ userId: actor.userId, origin, action: "session.signed_out" });
}

/** A unique violation as DUPLICATE on the form's field; undefined when it is something else. */
function takenError(error: unknown): AppError | undefined {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") return undefined;
  const about = JSON.stringify(error.meta ?? {});
  const [field, sentence] = about.includes("email")
    ? ["email", "An account with this e-mail exists already. Sign in instead."]
    : ["username", "This username is taken. Choose another."];
  return new AppError("DUPLICATE", { message: sentence, fields: { [field as string]: [sentence as string] } });
}

/**
 * Saves provider key and site. Secrets: absent or empty is unchanged, null removes. A site at another address needs its
 * password in the same call, so that a stored password is never sent to a site it was not typed for.
 */
export async function saveSettings(actor: Actor, input: SettingsInput): Promise<UserOut> {
  const stored = await readAccount(actor);
  const data = { ...keyChange(actor, input), ...siteChange(actor, input, stored) };
  if (Object.keys(data).length > 0) {
    await prisma.user.update({ where: { id: actor.userId }, data, select: { id: true } });
    await auditSettings(actor, data);
  }
  return readAccount(actor);
}

function keyChange(actor: Actor, { openaiApiKey: key }: SettingsInput): Prisma.UserUpdateInput {
  if (key === undefined || key === "") return {};
  if (key === null) return { openaiApiKey: null, openaiApiKeyHint: null };
  return { openaiApiKey: seal(key, { owner: actor.userId, field: "openaiApiKey" }), openaiApiKeyHint: keyHint(key) };
}

function siteChange(actor: Actor, input: SettingsInput, stored: UserOut): Prisma.UserUpdateInput {
  const data: Prisma.UserUpdateInput = {};
  if (input.wordpressUrl !== undefined) {
    if (isBlank(input.wordpressUrl)) return { wordpressUrl: null, wordpressUsername: null, wordpressPassword: null };
    data.wordpressUrl = normalizeSiteUrl(input.wordpressUrl ?? "");
    if (data.wordpressUrl !== stored.wordpressUrl && stored.hasWordpressPassword && isBlank(input.wordpressPassword)) {
      const sentence = "Enter the password of the new site: the stored one belongs to the old address.";
      throw new AppError("VALIDATION_ERROR", { message: sentence, fields: { wordpressPassword: [sentence] } });
    }
  }
  if (input.wordpressUsername !== undefined) data.wordpressUsername = input.wordpressUsername || null;
  if (input.wordpressPassword === null) data.wordpressPassword = null;
  else if (!isBlank(input.wordpressPassword)) {
    data.wordpressPassword = seal(input.wordpressPassword ?? "", { owner: actor.userId, field: "wordpressPassword" });
  }
  return data;
}

async function auditSettings(actor: Actor, data: Prisma.UserUpdateInput): Promise<void> {
  const { userId, origin } = actor;
  if ("openaiApiKey" in data) {
    await audit({
      userId,
      origin,
      action: "settings.api_key_changed",
      detail: { removed: data.openaiApiKey === null },
    });
  }
  if ("wordpressUrl" in data || "wordpressUsername" in data || "wordpressPassword" in data) {
    await audit({ userId, origin, action: "settings.site_changed", detail: { removed: data.wordpressUrl === null } });
  }
}
