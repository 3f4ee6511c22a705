import type { ReactNode } from "react";
import type { ConnectionOut } from "@/lib/features/sites/schema";

/** What a connected site says of itself, and what the account may not do there. */
export function SiteReport({ report: { url, version, role, mayNot, plugins } }: Pick<ConnectionOut, "report">) {
  return (
    <dl className="mt-2 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
      <Fact name="Address">{url}</Fact>
      <Fact name="WordPress">{version ?? "The site does not show its version."}</Fact>
      <Fact name="Your role">{role ?? "None on this site."}</Fact>
      <Fact name="May not">{mayNot.length > 0 ? mayNot.join(", ") : "Nothing is missing for publishing."}</Fact>
      <Fact name="Plugins">{plugins.length > 0 ? plugins.join(", ") : "None that we know."}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="wrap-anywhere max-sm:mb-1">{children}</dd>
    </>
  );
}
