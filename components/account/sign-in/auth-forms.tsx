"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useState, useTransition } from "react";
import { GoogleButton } from "@/components/account/google/google-button";
import { LoginForm } from "@/components/account/sign-in/login-form";
import { RegisterForm } from "@/components/account/sign-in/register-form";
import { TabsLink } from "@/components/shared/tabs-link";
import { Tabs, TabsContent, TabsList } from "@/components/ui/tabs";
import { keys } from "@/lib/client/query-keys";
import type { TypedNames } from "@/lib/transport/form-state";

export type AuthTab = "login" | "register";

/** The Login and Register tabs. `next`: where a success leads; `canReset`: this server can mail a password reset. */
export function AuthForms({
  next,
  tab = "login",
  canReset,
  isGoogleEnabled,
}: {
  next: string;
  tab?: AuthTab;
  canReset: boolean;
  isGoogleEnabled: boolean;
}) {
  const router = useRouter();
  const client = useQueryClient();
  const [isLeaving, startTransition] = useTransition();
  const [typed, setTyped] = useState<TypedNames>({});

  // Data of a previous user must not stay in memory.
  useEffect(() => client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.user()[0] }), [client]);

  function redirectToNext() {
    startTransition(() => router.replace(next));
  }

  /** Changing the tab unmounts its form: username and e-mail are kept for both tabs. */
  function rememberName({ target }: FormEvent) {
    if (!(target instanceof HTMLInputElement) || (target.name !== "username" && target.name !== "email")) return;
    const { name, value } = target;
    setTyped((now) => ({ ...now, [name]: value }));
  }

  return (
    <Tabs defaultValue={tab} onInput={rememberName}>
      <TabsList aria-label="Sign in or register">
        <TabsLink value="login" href={addressOf("login", next)}>
          Login
        </TabsLink>
        <TabsLink value="register" href={addressOf("register", next)}>
          Register
        </TabsLink>
      </TabsList>
      <TabsContent value="login" className="grid gap-5 pt-6">
        <LoginForm typed={typed} next={next} onSignedIn={redirectToNext} leaving={isLeaving} canReset={canReset} />
        <GoogleButton isEnabled={isGoogleEnabled} next={next} />
      </TabsContent>
      <TabsContent value="register" className="grid gap-5 pt-6">
        <RegisterForm typed={typed} next={next} onSignedIn={redirectToNext} leaving={isLeaving} />
        <GoogleButton isEnabled={isGoogleEnabled} next={next} />
      </TabsContent>
    </Tabs>
  );
}

function addressOf(tab: AuthTab, next: string): string {
  const asked = new URLSearchParams({ ...(tab === "register" && { tab }), ...(next !== "/" && { next }) });
  return asked.size > 0 ? `/auth?${asked}` : "/auth";
}
