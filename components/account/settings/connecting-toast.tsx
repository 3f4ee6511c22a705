import { OneTimeToast } from "@/components/account/one-time-toast";
import { CONNECTING_OUTCOMES, type ConnectingOutcome } from "@/lib/features/sites/connecting/schema";

/** What became of a connection that the user was asked to approve on their site. */
export function ConnectingToast({ outcome }: { outcome: unknown }) {
  const known = CONNECTING_OUTCOMES.find((each) => each === outcome);
  return known ? <OneTimeToast {...TOASTS[known]} path="/settings" /> : null;
}

const NOT_CONNECTED = { title: "Your site was not connected", variant: "destructive" } as const;

const TOASTS: Record<ConnectingOutcome, { title: string; description: string; variant?: "destructive" }> = {
  ok: {
    title: "Success",
    description: "Your site is connected. Test the connection to see what your account may do there.",
  },
  rejected: { ...NOT_CONNECTED, description: "You did not approve the connection there, so nothing was saved." },
  expired: {
    ...NOT_CONNECTED,
    description:
      "The connection was begun more than ten minutes ago, in another session, or is done already: connect again.",
  },
  forbidden: {
    ...NOT_CONNECTED,
    description: "Your account may not publish there: ask for the role of an author or editor, then connect again.",
  },
  failed: { ...NOT_CONNECTED, description: "Its password could not be saved: connect again in a minute." },
  "other-site": {
    ...NOT_CONNECTED,
    description:
      "Another site answered than the one you entered, so its password was not saved: check the URL, then connect again.",
  },
};
