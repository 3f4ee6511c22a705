"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useTransition } from "react";
import { GoogleButton } from "@/components/account/google-button";
import { LoginForm } from "@/components/account/login-form";
import { RegisterForm } from "@/components/account/register-form";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { keys } from "@/lib/client/query-keys";

/**
 * Login and Register; `next` is where a success leads, `canReset` whether a password reset can be mailed, `isGoogleOn`
 * whether one can sign in with Google here.
 */
export function AuthForms({ next, canReset, isGoogleOn }: { next: string; canReset: boolean; isGoogleOn: boolean }) {
  const router = useRouter();
  const client = useQueryClient();
  const [isLeaving, startTransition] = useTransition();

  // Whoever was here before has left nothing behind in memory.
  useEffect(() => client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.user()[0] }), [client]);

  function goOn() {
    startTransition(() => router.replace(next));
  }

  return (
    <Tabs defaultValue="login">
      <TabsList aria-label="Sign in or register">
        <TabsTrigger value="login">Login</TabsTrigger>
        <TabsTrigger value="register">Register</TabsTrigger>
      </TabsList>
      <TabsContent value="login" className="grid gap-5 pt-6">
        <LoginForm onSignedIn={goOn} leaving={isLeaving} canReset={canReset} />
        <GoogleButton isOn={isGoogleOn} next={next} />
      </TabsContent>
      <TabsContent value="register" className="grid gap-5 pt-6">
        <RegisterForm onSignedIn={goOn} leaving={isLeaving} />
        <GoogleButton isOn={isGoogleOn} next={next} />
      </TabsContent>
    </Tabs>
  );
}
