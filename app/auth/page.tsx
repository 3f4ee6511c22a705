import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthForms } from "@/components/account/auth-forms";
import { AuthProvider } from "@/components/account/auth-provider";
import { MarketingPanel } from "@/components/account/marketing-panel";
import { ownPath } from "@/components/account/own-path";
import { Logo } from "@/components/shared/logo";
import { optionalActor } from "@/lib/auth/actor";

export const metadata: Metadata = { title: "Sign in" };

/** The one public page. Whoever is signed in goes on to where they were sent from, or to the projects. */
export default async function AuthPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const next = ownPath((await searchParams).next);
  if (await optionalActor()) redirect(next);
  return (
    <main className="grid min-h-dvh md:grid-cols-2">
      <section className="grid justify-items-center content-start md:pt-[max(48px,18dvh)] md:[--control:40px] px-(--gutter) py-12 max-md:pt-8">
        <div className="w-full max-w-92">
          <p className="mb-8 flex items-center gap-2.5 font-medium max-md:mb-6">
            <Logo />
            Content Planner
          </p>
          <h1 className="sr-only">Sign in to Content Planner</h1>
          <AuthProvider user={null}>
            <AuthForms next={next} />
          </AuthProvider>
        </div>
      </section>
      <MarketingPanel />
    </main>
  );
}
