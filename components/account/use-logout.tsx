"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState, useTransition } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { leave } from "@/lib/client/leave-guard";
import { saveBeforeSignOut, stopSaving } from "@/lib/client/sign-out";
import { forgetTab } from "@/lib/client/tab-storage";
import { toast, toasts } from "@/lib/client/toast";

/**
 * Signs out and goes to /auth; pending until that page has loaded. Texts that only this browser has are sent first, and
 * erased; the dialog asks about those that cannot be sent.
 */
export function useLogout(): { logout: () => void; pending: boolean; dialog: ReactNode } {
  const auth = useAuth();
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const [unsent, setUnsent] = useState<string[]>([]);
  const userId = auth.user?.id;

  const logout = () =>
    leave(() =>
      startTransition(async () => {
        const titles = userId ? await sendAll(userId) : [];
        if (titles.length > 0) setUnsent(titles);
        else await signOut();
      }),
    );

  async function signOut() {
    const { error } = await auth.logout();
    if (error) return toast({ title: "Logout failed", description: error, variant: "destructive", subject: "logout" });
    stopSaving();
    if (userId) await eraseAllCopies(userId);
    forgetTab();
    // Queued toasts must not be shown to the next user.
    toasts.clear();
    startTransition(() => router.replace("/auth"));
  }

  const dialog = (
    <ConfirmDialog
      open={unsent.length > 0}
      onOpenChange={() => setUnsent([])}
      title="Log out and lose unsaved text?"
      description={`Only this browser has your last changes to ${named(unsent)}, and they could not be saved. Logging out erases them.`}
      confirmLabel="Log Out and Lose Them"
      destructive
      pending={pending}
      onConfirm={() =>
        startTransition(async () => {
          await signOut();
          setUnsent([]);
        })
      }
    />
  );
  return { logout, pending, dialog };
}

/** Loads the copies' code on demand: most pages have no use for it. */
const loadCopies = () => import("@/lib/features/content/client");

async function eraseAllCopies(userId: string): Promise<void> {
  const { copiesOf, eraseCopies } = await import("@/lib/client/local-copies");
  await eraseCopies(await copiesOf(userId));
}

/** Returns the titles of what could not be sent. */
async function sendAll(userId: string): Promise<string[]> {
  const unsaved = await saveBeforeSignOut(userId);
  const { sendCopies } = await loadCopies();
  const { sent, unsent } = await sendCopies(userId);
  const arrived = new Set(sent.map(({ subject }) => subject));
  const lost = [...unsaved.filter(({ subject }) => !arrived.has(subject)), ...unsent];
  return [...new Map(lost.map(({ subject, label }) => [subject, label])).values()];
}

/** “One”, “One” and “Two”, or “One”, “Two” and 3 more. */
function named(titles: string[]): string {
  const shown = titles.slice(0, 2).map((title) => `“${title}”`);
  const more = titles.length - shown.length;
  if (more > 0) return `${shown.join(", ")} and ${more} more`;
  return shown.join(" and ");
}
