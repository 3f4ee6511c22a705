import type { SignInMethods } from "@/lib/features/account/schema";

/** For whoever has no password: what to do before a change that needs proof. Nothing for everybody else. */
export function SignInAgain({ methods }: { methods: SignInMethods }) {
  if (methods.hasPassword) return null;
  return (
    <p className="text-muted-foreground">Your account has no password: this needs a sign-in of the last ten minutes.</p>
  );
}
