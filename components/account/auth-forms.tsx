"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useTransition } from "react";
import { GoogleButton } from "@/components/account/google-button";
import { LoginForm } from "@/components/account/login-form";
import { RegisterForm } from "@/components/account/register-form";
import { Tabs, TabsContent, TabsLink, TabsList } from "@/components/ui/tabs";
import { keys } from "@/lib/client/query-keys";

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

  // Whoever was here before has left nothing behind in memory.
  useEffect(() => client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.user()[0] }), [client]);

  function goOn() {
    startTransition(() => router.replace(next));
  }

  return (
    <Tabs defaultValue={tab}>
      <TabsList aria-label="Sign in or register">
        <TabsLink value="login" href={addressOf("login", next)}>
          Login
        </TabsLink>
        <TabsLink value="register" href={addressOf("register", next)}>
          Register
        </TabsLink>
      </TabsList>
      <TabsContent value="login" className="grid gap-5 pt-6">
        <LoginForm next={next} onSignedIn={goOn} leaving={isLeaving} canReset={canReset} />
        <GoogleButton isOn={isGoogleOn} next={next} />
      </TabsContent>
      <TabsContent value="register" className="grid gap-5 pt-6">
        <RegisterForm next={next} onSignedIn={goOn} leaving={isLeaving} />
        <GoogleButton isOn={isGoogleOn} next={next} />
      </TabsContent>
    </Tabs>
  );
}

function addressOf(tab: AuthTab, next: string): string {
  const asked = new URLSearchParams({ ...(tab === "register" && { tab }), ...(next !== "/" && { next }) });
  return asked.size > 0 ? `/auth?${asked}` : "/auth";
}
