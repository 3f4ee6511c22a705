import "server-only";
import { recentEvents } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { listSessions } from "@/lib/auth/sessions";

/** `token` is the asking session's. */
export function openSessions(actor: Actor, token: string | undefined) {
  return listSessions(actor.userId, token);
}

/** Lists events newest first, and failures as one entry per kind. */
export function recentActivity(actor: Actor) {
  return recentEvents(actor.userId, SHOWN_EVENTS);
}

const SHOWN_EVENTS = 50;
