"use client";

import { Slot } from "radix-ui";
import { type ReactElement, useState } from "react";
import { LateDialog, opensDialog } from "@/components/shared/late-dialog";
import { late } from "@/lib/utils/late";

const form = late(() =>
  import("@/components/account/forgot-password-form").then((module) => module.ForgotPasswordForm),
);

/** The button it is given opens it: asks for a link to set a new password, or says that no mail is sent from here. */
export function ForgotPasswordDialog({ canReset, children }: { canReset: boolean; children: ReactElement }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Slot.Root {...opensDialog(isOpen, () => setOpen(true))}>{children}</Slot.Root>
      <LateDialog dialog={form} canReset={canReset} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
