"use client";

import { Slot } from "radix-ui";
import { type ReactNode, useState } from "react";
import { GoogleMark } from "@/components/account/google/google-mark";
import { SettingsGroup } from "@/components/account/settings/settings-group";
import { dialogTriggerProps, lazyDialog } from "@/components/shared/lazy-dialog";
import { Button } from "@/components/ui/button";
import type { SignInMethods as Methods } from "@/lib/features/account/google/schema";

const GoogleProofForm = lazyDialog(() =>
  import("@/components/account/google/google-proof-form").then((module) => module.GoogleProofForm),
);

/** The account's sign-in methods, and the button to connect or disconnect Google. */
export function SignInMethods({ methods }: { methods: Methods }) {
  return (
    <SettingsGroup
      title="Ways to sign in"
      about="Connect Google to sign in without typing your password. Either way opens the same account."
    >
      <ul className="grid">
        <Method name="Password" state={methods.hasPassword ? "Set" : "Not set"} />
        <Method mark={<GoogleMark />} name="Google" state={stateOf(methods)}>
          {methods.isGoogleEnabled || methods.isGoogleConnected ? <GoogleChange methods={methods} /> : null}
        </Method>
      </ul>
    </SettingsGroup>
  );
}

function stateOf({ isGoogleEnabled, isGoogleConnected }: Methods): string {
  if (!isGoogleEnabled) return "Not set up: this server needs GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET";
  return isGoogleConnected ? "Connected" : "Not connected";
}

function Method({
  mark,
  name,
  state,
  children,
}: {
  mark?: ReactNode;
  name: string;
  state: string;
  children?: ReactNode;
}) {
  return (
    <li className="flex min-h-(--control) flex-wrap items-center gap-x-4 gap-y-2 border-b py-2 first:pt-0 last:border-b-0 last:pb-0">
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <span className="flex min-w-24 items-center gap-2 font-medium">
          {mark}
          {name}
        </span>
        <span className="text-muted-foreground">{state}</span>
      </span>
      {children}
    </li>
  );
}

function GoogleChange({ methods }: { methods: Methods }) {
  const [isOpen, setOpen] = useState(false);
  const purpose = methods.isGoogleConnected ? "disconnect" : "connect";
  return (
    <>
      <Slot.Root {...dialogTriggerProps(isOpen, () => setOpen(true))}>
        <Button variant="outline">{purpose === "connect" ? "Connect Google" : "Disconnect Google"}</Button>
      </Slot.Root>
      <GoogleProofForm purpose={purpose} methods={methods} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
