import type { ReactNode } from "react";
import { MarketingPanel } from "@/components/account/sign-in/marketing-panel";
import { Logo } from "@/components/shared/logo";

/** The public pages: a narrow column beside the product's benefits. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh md:grid-cols-2">
      <section className="grid justify-items-center content-start md:pt-[max(48px,18dvh)] md:[--control:40px] px-(--gutter) py-12 max-md:pt-8">
        <div className="w-full max-w-92">
          <p className="mb-8 flex items-center gap-2.5 font-medium max-md:mb-6">
            <Logo />
            Content Planner
          </p>
          {children}
        </div>
      </section>
      <MarketingPanel />
    </main>
  );
}
