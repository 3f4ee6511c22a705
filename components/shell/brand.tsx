import { Logo } from "@/components/shared/logo";
import { cn } from "@/lib/utils/cn";

/** Logo and product name at the top of the sidebar. */
export function Brand({ labelClass }: { labelClass?: string }) {
  return (
    <div className="flex h-(--topbar) shrink-0 items-center gap-2.5 px-3.5 font-medium text-foreground">
      <Logo />
      <span className={cn("truncate", labelClass)}>Content Planner</span>
    </div>
  );
}
