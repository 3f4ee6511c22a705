/** `<subject>.<past tense>`. */
export const AUDIT_ACTIONS = [
  "account.registered",
  "session.signed_in",
  "session.sign_in_failed",
  "session.signed_out",
  "session.others_ended",
  "account.identity_connected",
  "account.identity_disconnected",
  "account.username_changed",
  "account.email_changed",
  "account.password_changed",
  "account.exported",
  "account.password_refused",
  "account.proof_refused",
  "password.reset_requested",
  "password.reset",
  "password.reset_refused",
  "settings.api_key_changed",
  "settings.site_changed",
  "content.published",
  "content.unpublished",
  "content.deleted",
  "project.deleted",
  "topic.deleted",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * Failures that strangers, or a session's thief, can cause at will. They share one counted row per kind and day, so
 * they never push other events out of the list.
 */
const FOLDED: ReadonlySet<AuditAction> = new Set([
  "session.sign_in_failed",
  "account.password_refused",
  "account.proof_refused",
  "password.reset_requested",
  "password.reset_refused",
]);

/** Do events of this kind share one row per day? */
export function isFolded(action: AuditAction): boolean {
  return FOLDED.has(action);
}

/** Do events of this kind share a row per day beyond so many a minute? A program may change them all the time. */
export function isFoldedWhenFrequent(action: AuditAction): boolean {
  return action.startsWith("settings.");
}
