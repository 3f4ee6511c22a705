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
  "password.reset_requested",
  "password.reset",
  "settings.api_key_changed",
  "settings.site_changed",
  "content.published",
  "content.unpublished",
  "content.deleted",
  "project.deleted",
  "topic.deleted",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
