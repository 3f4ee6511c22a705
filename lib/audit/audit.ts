import "server-only";
import type { Origin } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { log } from "@/lib/log";

export type AuditAction =
  | "account.registered"
  | "session.signed_in"
  | "session.sign_in_failed"
  | "session.signed_out"
  | "session.others_ended"
  | "account.identity_connected"
  | "account.username_changed"
  | "account.email_changed"
  | "account.password_changed"
  | "account.exported"
  | "password.reset_requested"
  | "password.reset"
  | "settings.api_key_changed"
  | "settings.site_changed"
  | "content.published"
  | "content.unpublished"
  | "content.deleted"
  | "project.deleted"
  | "topic.deleted";

type AuditEntry = {
  userId: string | null;
  origin: Origin;
  action: AuditAction;
  /** The id of what it was done to. */
  subject?: string;
  /** Plain facts, never secrets and never text a person wrote. */
  detail?: Record<string, string | number | boolean | null>;
};

/** Who did what, when, from where. A trail that cannot be written is logged; it never undoes what was done. */
export async function audit({ userId, origin, action, subject, detail = {} }: AuditEntry): Promise<void> {
  const data = {
    userId,
    action,
    subject: subject ?? null,
    address: origin.address,
    requestId: origin.requestId,
    detail,
  };
  try {
    await prisma.auditEvent.create({ data, select: { id: true } });
  } catch (error) {
    log.error({ err: error, action, requestId: origin.requestId }, "audit event not written");
  }
}

/** The person's newest events. */
export function recentEvents(userId: string, count: number) {
  return prisma.auditEvent.findMany({
    where: { userId },
    select: { id: true, action: true, subject: true, address: true, createdAt: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: count,
  });
}
