"use client";

import { GoogleMark } from "@/components/account/google/google-mark";
import { Button } from "@/components/ui/button";
import { useRedirectAction } from "@/lib/client/redirect-action";
import { reauthenticateAction } from "@/lib/features/account/google/actions";
import type { SignInMethods } from "@/lib/features/account/google/schema";

/** Asks users without a password for a recent sign-in before a change. Not a form, because it is used within forms. */
export function ReauthenticationNotice({ methods }: { methods: SignInMethods }) {
  const { isPending, run } = useRedirectAction();
  if (methods.hasPassword) return null;
  const canUseGoogle = methods.isGoogleEnabled && methods.isGoogleConnected;
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-muted-foreground">
        Your account has no password, so this needs a sign-in of the last ten minutes. If it has been longer, sign in
        {canUseGoogle ? " with Google" : ""} again first.
      </p>
      {canUseGoogle ? (
        <Button variant="outline" pending={isPending} onClick={() => run(reauthenticateAction)}>
          <GoogleMark />
          Sign in with Google again
        </Button>
      ) : null}
    </div>
  );
}
