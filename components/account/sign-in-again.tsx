"use client";

import { GoogleMark } from "@/components/account/google-mark";
import { Button } from "@/components/ui/button";
import { useLeave } from "@/lib/client/leave";
import { signInAgainAction } from "@/lib/features/account/actions";
import type { SignInMethods } from "@/lib/features/account/schema";

/**
 * For whoever has no password: what to do before a change that needs proof. Nothing for everybody else. No form of its own,
 * because it stands in other forms.
 */
export function SignInAgain({ methods }: { methods: SignInMethods }) {
  const { isLeaving, leave } = useLeave();
  if (methods.hasPassword) return null;
  const canUseGoogle = methods.isGoogleOn && methods.isGoogleConnected;
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-muted-foreground">
        Your account has no password, so this needs a sign-in of the last ten minutes. If it has been longer, sign in
        {canUseGoogle ? " with Google" : ""} again first.
      </p>
      {canUseGoogle ? (
        <Button variant="outline" pending={isLeaving} onClick={() => leave(signInAgainAction)}>
          <GoogleMark />
          Sign in with Google again
        </Button>
      ) : null}
    </div>
  );
}
