import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { type PageAction, PageActions } from "@/components/shared/page-actions";

/** The top of a page: title, description and actions, `back` first. */
export function PageHeader({
  title,
  description,
  back,
  actions = [],
  isBarElsewhere = false,
  isBarInFlow = false,
}: {
  title: ReactNode;
  description?: ReactNode;
  back?: { href: string; label: string };
  actions?: PageAction[];
  /** True if, on phones, another part of the page shows these actions. */
  isBarElsewhere?: boolean;
  /** True if, on phones, the actions stay under the title: there is nothing to do just now. */
  isBarInFlow?: boolean;
}) {
  const all = back ? [backAction(back), ...actions] : actions;
  return (
    <header className="flex flex-wrap items-start gap-x-6 gap-y-4">
      <div className="min-w-0 flex-[1_1_300px]">
        <h1 dir="auto" className="text-balance wrap-anywhere font-medium font-serif text-xl tracking-[-0.011em]">
          {title}
        </h1>
        {description ? (
          <div dir="auto" className="mt-1 max-w-[68ch] text-pretty wrap-anywhere text-muted-foreground">
            {description}
          </div>
        ) : null}
      </div>
      {all.length > 0 ? (
        <PageActions actions={all} isInFlow={isBarInFlow} className={isBarElsewhere ? "max-md:hidden" : undefined} />
      ) : null}
    </header>
  );
}

export function backAction({ href, label }: { href: string; label: string }): PageAction {
  return { label, href, leadsBack: true, variant: "ghost", icon: <ArrowLeft aria-hidden="true" /> };
}
