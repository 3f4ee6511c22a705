"use client";

import { useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { ExportButton } from "@/components/account/own-data/export-data";
import { SettingsGroup } from "@/components/account/settings/settings-group";
import { dialogTriggerProps, lazyDialog } from "@/components/shared/lazy-dialog";
import { Button } from "@/components/ui/button";
import type { SignInMethods } from "@/lib/features/account/google/schema";

const DeleteAccountDialog = lazyDialog(() =>
  import("@/components/account/own-data/delete-account-dialog").then((module) => module.DeleteAccountDialog),
);

/** What is deleted with the account, and the button to delete it. */
export function DeleteAccount({ methods }: { methods: SignInMethods }) {
  const { user } = useAuth();
  const [isOpen, setOpen] = useState(false);
  if (!user) return null;
  return (
    <SettingsGroup title="Delete account" about="For good: this cannot be undone.">
      <ul className="grid list-disc gap-1 pl-5 marker:text-muted-foreground">
        <li>Your projects, content, chats, queues and stored keys are deleted.</li>
        <li>Pending and processing jobs end.</li>
        <li>What is on your WordPress site stays there.</li>
      </ul>
      <p className="text-muted-foreground">
        You may want a copy first: <ExportButton variant="link">Export everything first</ExportButton>
      </p>
      <Button
        variant="outline"
        className="w-fit text-destructive hover:bg-destructive-soft"
        {...dialogTriggerProps(isOpen, () => setOpen(true))}
      >
        Delete account
      </Button>
      <DeleteAccountDialog open={isOpen} onOpenChange={setOpen} username={user.username} methods={methods} />
    </SettingsGroup>
  );
}
