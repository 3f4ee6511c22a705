import "server-only";
import { PrismaAdapter } from "@auth/prisma-adapter";
import type { Adapter, AdapterSession, AdapterUser } from "next-auth/adapters";
import { currentRequestContext } from "@/lib/auth/actor";
import { createWithFreeUsername } from "@/lib/auth/new-user";
import { endSession, hashToken, storeSession } from "@/lib/auth/sessions";
import { LIVE } from "@/lib/db/own";
import { prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";

const USER = { id: true, email: true, emailVerified: true, displayName: true, photoURL: true } as const;

type UserRow = {
  id: string;
  email: string | null;
  emailVerified: Date | null;
  displayName: string | null;
  photoURL: string | null;
};

/**
 * next-auth's adapter over our tables: `name` and `image` map to displayName and photoURL, session tokens are hashed,
 * provider tokens are dropped, new users get a free username. The session `replaced` is hidden from next-auth, which
 * would link the Google account to it, and ends when the new session is stored. What we leave to the base is for
 * sign-ins by e-mail and for JWT sessions, which we do not offer.
 */
export function createAdapter(replaced?: string): Adapter {
  const base = PrismaAdapter(prisma as never) as unknown as Required<Adapter>;
  return {
    ...base,
    async createUser(user: Omit<AdapterUser, "id">) {
      const data = {
        email: user.email.toLowerCase(),
        emailVerified: user.emailVerified ?? new Date(),
        displayName: user.name ?? null,
        photoURL: user.image ?? null,
      };
      return adapterUser({ id: await createWithFreeUsername(data), ...data });
    },
    async getUserByEmail(email: string) {
      return orNull(await prisma.user.findUnique({ where: { email: email.toLowerCase(), ...LIVE }, select: USER }));
    },
    async getUserByAccount(account: { provider: string; providerAccountId: string }) {
      const found = await prisma.account.findUnique({
        where: { provider_providerAccountId: account, user: LIVE },
        select: { user: { select: USER } },
      });
      return orNull(found?.user ?? null);
    },
    async linkAccount({ userId, type, provider, providerAccountId }: Parameters<Required<Adapter>["linkAccount"]>[0]) {
      await prisma.account.create({ data: { userId, type, provider, providerAccountId }, select: { id: true } });
    },
    async createSession({ sessionToken, userId, expires }: AdapterSession) {
      const context = await currentRequestContext();
      await transaction(async (db) => {
        await storeSession({ sessionToken, userId, expires }, context, db);
        if (replaced) await endSession(replaced, db);
      });
      return { sessionToken, userId, expires };
    },
    async getSessionAndUser(sessionToken: string) {
      if (sessionToken === replaced) return null;
      const found = await prisma.session.findUnique({
        where: { sessionToken: hashToken(sessionToken), user: LIVE },
        select: { userId: true, expires: true, user: { select: { ...USER, disabledAt: true } } },
      });
      if (!found || found.user.disabledAt) return null;
      return { session: { sessionToken, userId: found.userId, expires: found.expires }, user: adapterUser(found.user) };
    },
    async updateSession({ sessionToken, expires }: Partial<AdapterSession> & { sessionToken: string }) {
      if (!expires) return null;
      const row = await prisma.session.update({ where: { sessionToken: hashToken(sessionToken) }, data: { expires } });
      return { sessionToken, userId: row.userId, expires: row.expires };
    },
    async deleteSession(sessionToken: string) {
      await endSession(sessionToken);
    },
  };
}

function orNull(row: UserRow | null): AdapterUser | null {
  return row && adapterUser(row);
}

function adapterUser({ id, email, emailVerified, displayName, photoURL }: UserRow): AdapterUser {
  return { id, email: email ?? "", emailVerified, name: displayName, image: photoURL };
}
