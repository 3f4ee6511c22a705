"use client";

import { useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { MAILED } from "@/components/account/reset/reset-copy";
import { type ApiError, referenceOf } from "@/lib/client/api";
import { toast } from "@/lib/client/toast";

/** Asks for a mail with a link to set a new password, and says what became of it. Resolves to null, or to the failure. */
export function useSendResetLink() {
  const { resetPassword } = useAuth();
  const [isSending, setSending] = useState(false);

  async function send(email: string): Promise<{ failure: ApiError | null } | null> {
    setSending(true);
    const { success, error, failure } = await resetPassword(email);
    setSending(false);
    if (success) toast({ ...MAILED, subject: RESET });
    else {
      toast({
        title: "Password reset failed",
        description: error ?? undefined,
        variant: "destructive",
        reference: referenceOf(failure),
        subject: RESET,
      });
    }
    return success ? null : { failure };
  }

  return { send, isSending };
}

/** The subject of the toasts. */
const RESET = "password-reset";
