import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { type PageAction, PageActions } from "@/components/shared/page-actions";
import { cn } from "@/lib/utils/cn";

/**
 * The head of a page: its title, what it is about, and its actions. `back` stands before the actions.
 * `size="large"` is for greetings and the titles of people's own things.
 */
export function PageHeader({
  title,
  description,
  back,
  actions = [],
  isBarElsewhere = false,
  size = "default",
}: {
  title: ReactNode;
  description?: ReactNode;
  back?: { href: string; label: string };
  actions?: PageAction[];
  /** On phones another part of the page has these actions in its bar. */
  isBarElsewhere?: boolean;
  size?: "default" | "large";
}) {
  const all = back ? [backAction(back), ...actions] : actions;
  return (
    <header className="flex flex-wrap items-start gap-x-6 gap-y-4">
      <div className="min-w-0 flex-[1_1_300px]">
        <h1
          dir="auto"
          className={cn(
            "text-balance wrap-anywhere font-medium font-serif text-xl tracking-[-0.011em]",
            size === "large" && "md:text-2xl md:tracking-[-0.016em]",
          )}
        >
          {title}
        </h1>
        {description ? (
          <div dir="auto" className="mt-1 max-w-[68ch] text-pretty wrap-anywhere text-muted-foreground">
            {description}
          </div>
        ) : null}
      </div>
      {all.length > 0 ? <PageActions actions={all} className={isBarElsewhere ? "max-md:hidden" : undefined} /> : null}
    </header>
  );
}

/** The way back, first of a page's actions. */
export function backAction({ href, label }: { href: string; label: string }): PageAction {
  return { label, href, variant: "ghost", icon: <ArrowLeft aria-hidden="true" /> };
}
