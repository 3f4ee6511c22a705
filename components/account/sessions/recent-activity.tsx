"use client";

import { useShowAll } from "@/components/account/sessions/show-all";
import { SettingsGroup } from "@/components/account/settings/settings-group";
import { LocalTime } from "@/components/shared/local-time";
import type { Activity } from "@/lib/features/account/sessions/schema";
import { cn } from "@/lib/utils/cn";

/** The account's latest events with time and address; failures are one line of each kind. */
export function RecentActivity({ events }: { events: Activity[] }) {
  const { listId, button, shown } = useShowAll(events);
  return (
    <SettingsGroup
      title="Recent account activity"
      about="Sign-ins, changes of keys and site, and what was published or deleted. Failed tries of the last 30 days are counted in one line. If something here was not you, change your password."
    >
      {events.length === 0 ? (
        <p className="text-muted-foreground">Nothing has happened yet.</p>
      ) : (
        <ol id={listId} className="grid min-w-0">
          {shown.map((event) => (
            <li
              key={event.id}
              className="grid min-w-0 gap-x-4 border-b py-2 first:pt-0 last:border-b-0 sm:grid-cols-[minmax(0,1fr)_auto]"
            >
              <span className={cn("min-w-0 break-words", isFailure(event) && "text-destructive")}>
                {labelOf(event)}
              </span>
              <span className="min-w-0 break-words text-muted-foreground text-sm tabular-nums sm:max-w-72 sm:text-right">
                <LocalTime at={event.createdAt} style="short" before={event.times > 1 ? "last on " : ""} />
                {addressOf(event)}
              </span>
            </li>
          ))}
        </ol>
      )}
      {button}
    </SettingsGroup>
  );
}

const LABELS: Record<string, string> = {
  "account.registered": "Account created",
  "account.identity_connected": "Another way to sign in connected",
  "account.identity_disconnected": "A way to sign in disconnected",
  "account.username_changed": "Username changed",
  "account.email_changed": "E-mail address changed",
  "account.password_changed": "Password changed",
  "account.exported": "Everything exported",
  "account.password_refused": "Wrong current password",
  "account.proof_refused": "Proof of identity refused",
  "session.signed_in": "Signed in",
  "session.sign_in_failed": "Sign-in failed",
  "session.signed_out": "Signed out",
  "session.others_ended": "Signed out everywhere else",
  "password.reset_requested": "Password reset link requested",
  "password.reset": "Password reset",
  "password.reset_refused": "Password reset link refused",
  "settings.api_key_changed": "AI provider API key changed",
  "settings.site_changed": "Blogging site changed",
  "content.published": "Content published",
  "content.unpublished": "Content unpublished",
  "content.deleted": "Content deleted",
  "project.deleted": "Project deleted",
  "topic.deleted": "Topic deleted",
};

/** Labels after a number. */
const PLURALS: Record<string, string> = {
  "session.sign_in_failed": "failed sign-ins",
  "account.password_refused": "wrong current passwords",
  "account.proof_refused": "refused proofs of identity",
  "password.reset_requested": "password reset links requested",
  "password.reset_refused": "password reset links refused",
  "settings.api_key_changed": "changes of the AI provider API key",
  "settings.site_changed": "changes of the blogging site",
  "content.published": "pieces published",
  "content.unpublished": "pieces unpublished",
};

function isFailure({ action }: Activity): boolean {
  return /_(failed|refused)$/.test(action);
}

function labelOf({ action, subject, times, newBrowser }: Activity): string {
  const plural = PLURALS[action];
  if (times > 1 && plural) return `${times.toLocaleString("en-US")} ${plural}`;
  if (newBrowser) return "Signed in from a new browser";
  const label = LABELS[action] ?? action;
  return subject ? `${label} (${subject.slice(0, 8)})` : label;
}

/** Without a trusted proxy all clients share one address, which is not shown. */
function addressOf({ address }: Activity): string {
  return address && /[.:]/.test(address) ? ` · ${address}` : "";
}
