"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useState, useTransition } from "react";
import { GoogleButton } from "@/components/account/google-button";
import { LoginForm } from "@/components/account/login-form";
import { RegisterForm } from "@/components/account/register-form";
import { Tabs, TabsContent, TabsLink, TabsList } from "@/components/ui/tabs";
import { keys } from "@/lib/client/query-keys";
import type { TypedNames } from "@/lib/utils/posted-form";

export type AuthTab = "login" | "register";

/**
 * Login and Register; `tab` is the open one, `next` is where a success leads, `canReset` whether a password reset can be
 * mailed, `isGoogleOn` whether one can sign in with Google here.
 */
export function AuthForms({
  next,
  tab = "login",
  canReset,
  isGoogleOn,
}: {
  next: string;
  tab?: AuthTab;
  canReset: boolean;
  isGoogleOn: boolean;
}) {
  const router = useRouter();
  const client = useQueryClient();
  const [isLeaving, startTransition] = useTransition();
  const [typed, setTyped] = useState<TypedNames>({});

  // Whoever was here before has left nothing behind in memory.
  useEffect(() => client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.user()[0] }), [client]);

  function goOn() {
    startTransition(() => router.replace(next));
  }

  /** A form leaves the page with its tab; the names typed there come back with it, and stand in the other one. */
  function keep({ target }: FormEvent) {
    if (!(target instanceof HTMLInputElement) || (target.name !== "username" && target.name !== "email")) return;
    const { name, value } = target;
    setTyped((before) => ({ ...before, [name]: value }));
  }

  return (
    <Tabs defaultValue={tab} onInput={keep}>
      <TabsList aria-label="Sign in or register">
        <TabsLink value="login" href={addressOf("login", next)}>
          Login
        </TabsLink>
        <TabsLink value="register" href={addressOf("register", next)}>
          Register
        </TabsLink>
      </TabsList>
      <TabsContent value="login" className="grid gap-5 pt-6">
        <LoginForm typed={typed} next={next} onSignedIn={goOn} leaving={isLeaving} canReset={canReset} />
        <GoogleButton isOn={isGoogleOn} next={next} />
      </TabsContent>
      <TabsContent value="register" className="grid gap-5 pt-6">
        <RegisterForm typed={typed} next={next} onSignedIn={goOn} leaving={isLeaving} />
        <GoogleButton isOn={isGoogleOn} next={next} />
      </TabsContent>
    </Tabs>
  );
}

function addressOf(tab: AuthTab, next: string): string {
  const asked = new URLSearchParams({ ...(tab === "register" && { tab }), ...(next !== "/" && { next }) });
  return asked.size > 0 ? `/auth?${asked}` : "/auth";
}
