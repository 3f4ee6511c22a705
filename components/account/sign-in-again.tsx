import { GoogleMark } from "@/components/account/google-mark";
import { Button } from "@/components/ui/button";
import { signInAgainAction } from "@/lib/features/account/actions";
import type { SignInMethods } from "@/lib/features/account/schema";

/** For whoever has no password: what to do before a change that needs proof. Nothing for everybody else. */
export function SignInAgain({ methods }: { methods: SignInMethods }) {
  if (methods.hasPassword) return null;
  const canUseGoogle = methods.isGoogleOn && methods.isGoogleConnected;
  return (
    <form action={signInAgainAction} className="grid justify-items-start gap-3">
      <p className="text-muted-foreground">
        Your account has no password, so this needs a sign-in of the last ten minutes.
        {canUseGoogle
          ? " Sign in with Google again first if it has been longer."
          : " Sign in again first if it has been longer."}
      </p>
      {canUseGoogle ? (
        <Button type="submit" variant="outline">
          <GoogleMark />
          Sign in with Google again
        </Button>
      ) : null}
    </form>
  );
}
