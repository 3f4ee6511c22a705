import "server-only";
import { randomBytes } from "node:crypto";
import { isUniqueViolation } from "@/lib/db/errors";
import { prisma } from "@/lib/db/prisma";

/** What an identity provider says about a new user. */
export type NewUser = {
  email: string | null;
  emailVerified: Date | null;
  displayName: string | null;
  photoURL: string | null;
  firebaseUid?: string;
};

/** How often to try when another user takes the name first. */
const ATTEMPTS = 4;

/**
 * Uses the part of the e-mail before the @ (or the name) as username, with random letters when that is taken. Returns
 * the id; throws unique violations of other fields.
 */
export async function createWithFreeUsername(data: NewUser): Promise<string> {
  const stem = stemOf(data);
  for (let attempt = 1; ; attempt++) {
    const username = stem && attempt === 1 ? stem : `${stem ?? "user"}-${randomBytes(3).toString("hex")}`;
    const usernameKey = username.toLowerCase();
    if (await prisma.user.findUnique({ where: { usernameKey }, select: { id: true } })) continue;
    try {
      return (await prisma.user.create({ data: { ...data, username }, select: { id: true } })).id;
    } catch (error) {
      if (attempt >= ATTEMPTS || !isUsernameTaken(error)) throw error;
    }
  }
}

function stemOf({ email, displayName }: NewUser): string | undefined {
  const wanted = (email?.split("@")[0] ?? displayName ?? "").replace(/[^A-Za-z0-9._-]/g, "").slice(0, 30);
  return wanted.length >= 3 ? wanted : undefined;
}

function isUsernameTaken(error: unknown): boolean {
  return isUniqueViolation(error) && JSON.stringify(error).includes("username");
}
