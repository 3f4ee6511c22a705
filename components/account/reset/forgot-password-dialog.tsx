"use client";

import { Slot } from "radix-ui";
import { type ReactElement, useState } from "react";
import { dialogTriggerProps, lazyDialog } from "@/components/shared/lazy-dialog";

const ForgotPasswordForm = lazyDialog(() =>
  import("@/components/account/reset/forgot-password-form").then((module) => module.ForgotPasswordForm),
);

/** A dialog that its child, a button, opens: it requests a reset link, or explains that this server sends no mail. */
export function ForgotPasswordDialog({ canReset, children }: { canReset: boolean; children: ReactElement }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Slot.Root {...dialogTriggerProps(isOpen, () => setOpen(true))}>{children}</Slot.Root>
      <ForgotPasswordForm canReset={canReset} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
