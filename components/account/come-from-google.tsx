import { ToldOnce } from "@/components/account/told-once";

/** Tells a person who went to Google from the settings how that ended. */
export function ComeFromGoogle({ failure, connected }: { failure: string | undefined; connected: boolean }) {
  if (failure) {
    return <ToldOnce title="Authentication failed" description={failure} variant="destructive" path="/settings" />;
  }
  if (!connected) return null;
  const description = "Google is connected. You can sign in with it from now on.";
  return <ToldOnce title="Success" description={description} path="/settings" />;
}
