import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/utils/cn";

/**
 * The head of a page: its title, what it is about, and its actions. `back` stands before the actions.
 * `size="large"` is for greetings and the titles of people's own things.
 */
export function PageHeader({
  title,
  description,
  back,
  actions,
  size = "default",
}: {
  title: ReactNode;
  description?: ReactNode;
  back?: { href: string; label: string };
  actions?: ReactNode;
  size?: "default" | "large";
}) {
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
      {back || actions ? (
        <div className="flex flex-wrap items-center gap-2 max-md:w-full max-md:[&>*]:flex-1">
          {back ? (
            // On phones the way back has a line of its own; the actions share the next.
            <Button asChild variant="ghost" className="max-md:-ml-3.5 max-md:basis-full max-md:justify-start">
              <Link href={back.href}>
                <ArrowLeft aria-hidden="true" />
                {back.label}
              </Link>
            </Button>
          ) : null}
          {actions}
        </div>
      ) : null}
    </header>
  );
}
