"use client";

import { type FormEvent, useId } from "react";
import { GoogleMark } from "@/components/account/google/google-mark";
import { ReasonButton } from "@/components/shared/reason-button";
import { Button } from "@/components/ui/button";
import { useRedirectAction } from "@/lib/client/redirect-action";
import { continueWithGoogleAction } from "@/lib/features/account/google/actions";

/** Google sign-in that leads to `next`; disabled with the reason if it is not set up. Works without scripts. */
export function GoogleButton({ isEnabled, next }: { isEnabled: boolean; next: string }) {
  return (
    <div className="grid gap-5">
      <div
        aria-hidden="true"
        className="flex items-center gap-3 text-muted-foreground text-sm before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border"
      >
        or
      </div>
      {isEnabled ? <Continue next={next} /> : <NotSetUp />}
    </div>
  );
}

/** The button; busy until Google's page has loaded. */
function Continue({ next }: { next: string }) {
  const { isPending, run } = useRedirectAction();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    run(() => continueWithGoogleAction(form));
  }

  return (
    <form action={continueWithGoogleAction} onSubmit={submit}>
      <input type="hidden" name="next" value={next} />
      <Button type="submit" variant="outline" pending={isPending} className="w-full">
        <GoogleMark />
        <Label />
      </Button>
    </form>
  );
}

function NotSetUp() {
  const reason = useId();
  return (
    <>
      <ReasonButton variant="outline" aria-describedby={reason} className="w-full" disabledReason={NOT_SET_UP}>
        <Label />
      </ReasonButton>
      <span id={reason} className="sr-only">
        {NOT_SET_UP}
      </span>
    </>
  );
}

const NOT_SET_UP = "Google sign-in is not set up on this server.";

/** The label as the specification words it; CSS draws the capital. */
function Label() {
  return <span className="inline-block first-letter:uppercase">continue with Google</span>;
}
