import "server-only";
import type { AuditAction } from "@/lib/audit/actions";
import type { Origin } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { log } from "@/lib/log";

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
