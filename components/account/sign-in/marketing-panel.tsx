import { ChartNoAxesColumn, Folders, type LucideIcon, Map as MapIcon, PenLine } from "lucide-react";
import { Caret } from "@/components/shared/caret";

const BENEFITS: { icon: LucideIcon; text: string }[] = [
  { icon: MapIcon, text: "Plan and organise content strategy" },
  { icon: PenLine, text: "Write SEO-optimised posts" },
  { icon: Folders, text: "Manage multiple projects" },
  { icon: ChartNoAxesColumn, text: "Track content performance" },
];

/** The product's benefits, beside the sign-in form. */
export function MarketingPanel() {
  return (
    <aside
      aria-label="About Content Planner"
      className="grid content-between justify-items-center gap-12 overflow-hidden bg-ink px-16 pt-16 text-ink-foreground max-xl:px-10 max-md:gap-0 max-md:px-4 max-md:py-10 md:max-h-dvh"
    >
      <span aria-hidden="true" className="max-md:hidden" />
      <div className="w-full max-w-md">
        <h2 className="text-balance font-medium font-serif text-2xl tracking-[-0.016em]">
          Create engaging content that connects with your audience
          <Caret className="bg-ink-caret" />
        </h2>
        <ul className="mt-10 max-md:mt-6">
          {BENEFITS.map(({ icon: Icon, text }) => (
            <li key={text} className="flex gap-4 border-ink-border border-t py-3.5">
              <Icon aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-4 shrink-0 text-ink-muted" />
              {text}
            </li>
          ))}
        </ul>
      </div>
      <div
        aria-hidden="true"
        className="h-38 w-full max-w-md overflow-hidden rounded-t-md border border-ink-border border-b-0 bg-ink-foreground/3 px-8 pt-7 font-serif text-ink-muted text-md max-md:hidden"
      >
        <p className="mb-2 font-medium text-ink-foreground text-lg">When to start tomatoes indoors</p>
        Every February someone in the shop asks for tomato seed and a date. The seed is easy. The date depends on a
        number you can look up in two minutes.
      </div>
    </aside>
  );
}
