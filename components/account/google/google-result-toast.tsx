import { OneTimeToast } from "@/components/account/one-time-toast";

/** The result of connecting Google from the settings. */
export function GoogleResultToast({ failure, connected }: { failure: string | undefined; connected: boolean }) {
  if (failure) {
    return <OneTimeToast title="Authentication failed" description={failure} variant="destructive" path="/settings" />;
  }
  if (!connected) return null;
  const description = "Google is connected. You can sign in with it from now on.";
  return <OneTimeToast title="Success" description={description} path="/settings" />;
}
