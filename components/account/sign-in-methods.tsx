"use client";

import { Slot } from "radix-ui";
import { type ReactNode, useState } from "react";
import { GoogleMark } from "@/components/account/google-mark";
import { SettingsGroup } from "@/components/account/settings-group";
import { LateDialog, opensDialog } from "@/components/shared/late-dialog";
import { Button } from "@/components/ui/button";
import type { SignInMethods as Methods } from "@/lib/features/account/schema";
import { late } from "@/lib/utils/late";

const form = late(() => import("@/components/account/google-proof-form").then((module) => module.GoogleProofForm));

/** The ways into this account, and Google to connect or disconnect. */
export function SignInMethods({ methods }: { methods: Methods }) {
  return (
    <SettingsGroup
      title="Ways to sign in"
      about="Connect Google to sign in without typing your password. Either way opens the same account."
    >
      <ul className="grid">
        <Way name="Password" state={methods.hasPassword ? "Set" : "Not set"} />
        <Way mark={<GoogleMark />} name="Google" state={stateOf(methods)}>
          {methods.isGoogleOn || methods.isGoogleConnected ? <GoogleChange methods={methods} /> : null}
        </Way>
      </ul>
    </SettingsGroup>
  );
}

function stateOf({ isGoogleOn, isGoogleConnected }: Methods): string {
  if (!isGoogleOn) return "Not set up on this server";
  return isGoogleConnected ? "Connected" : "Not connected";
}

function Way({ mark, name, state, children }: { mark?: ReactNode; name: string; state: string; children?: ReactNode }) {
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
      <Slot.Root {...opensDialog(isOpen, () => setOpen(true))}>
        <Button variant="outline">{purpose === "connect" ? "Connect Google" : "Disconnect Google"}</Button>
      </Slot.Root>
      <LateDialog dialog={form} purpose={purpose} methods={methods} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
