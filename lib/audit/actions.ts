/** Everything the audit trail knows of: `<what it was done to>.<what was done>`. */
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
 * What strangers, or the thief of a session, can bring about as often as they like. All of a kind and day are one row with
 * a count, and they never push other events out of a list.
 */
const FOLDED: ReadonlySet<AuditAction> = new Set([
  "session.sign_in_failed",
  "account.password_refused",
  "account.proof_refused",
  "password.reset_requested",
  "password.reset_refused",
]);

/** Do the events of a kind and day share a row? */
export function isFolded(action: AuditAction): boolean {
  return FOLDED.has(action);
}
