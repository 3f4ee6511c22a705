import { unstable_rethrow } from "next/navigation";
import { useTransition } from "react";
import { SIGN_IN, toastError } from "@/lib/client/toast";

/** Runs a server action that redirects to another page. If it cannot be reached, the page stays and a toast says so. */
export function useRedirectAction() {
  const [isPending, startTransition] = useTransition();
  function run(action: () => Promise<never>) {
    startTransition(async () => {
      try {
        await action();
      } catch (error) {
        // This rethrows the redirect itself.
        unstable_rethrow(error);
        toastError(error, { title: "Authentication failed", fallback: NO_ANSWER, subject: SIGN_IN });
      }
    });
  }
  return { isPending, run };
}

const NO_ANSWER = "The server did not answer. What you typed is still here: check your connection, then try again.";
