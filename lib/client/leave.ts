import { unstable_rethrow } from "next/navigation";
import { useTransition } from "react";
import { SIGN_IN, toastError } from "@/lib/client/toast";

/** Leaves this page by a server action that redirects. When the action cannot be reached the page stays, with a sentence. */
export function useLeave() {
  const [isLeaving, startTransition] = useTransition();
  function leave(action: () => Promise<never>) {
    startTransition(async () => {
      try {
        await action();
      } catch (error) {
        // The redirect itself.
        unstable_rethrow(error);
        toastError(error, { title: "Authentication failed", fallback: NO_ANSWER, subject: SIGN_IN });
      }
    });
  }
  return { isLeaving, leave };
}

const NO_ANSWER = "The server did not answer. What you typed is still here: check your connection, then try again.";
