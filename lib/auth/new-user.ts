import "server-only";
import { randomBytes } from "node:crypto";
import { Prisma, prisma } from "@/lib/db/prisma";

/** What another sign-in tells of a person who has no account yet. */
export type NewUser = {
  email: string | null;
  emailVerified: Date | null;
  displayName: string | null;
  photoURL: string | null;
  firebaseUid?: string;
};

/** How often a name is looked for anew when somebody else took it in between. */
const ATTEMPTS = 4;

/**
 * Creates an account under a free username: the part of the e-mail before the @ (or the name), made fit, and with a few
 * random letters when that is taken. Answers its id; throws the unique violation of anything but the username.
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
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") return false;
  return JSON.stringify(error.meta ?? {}).includes("username");
}
