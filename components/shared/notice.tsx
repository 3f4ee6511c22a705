import { CircleAlert, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/utils/cn";

type NoticeVariant = "default" | "warning" | "destructive";

const VARIANTS: Record<NoticeVariant, { icon: LucideIcon; box: string; tone: string }> = {
  default: { icon: Info, box: "bg-card", tone: "text-muted-foreground" },
  warning: { icon: TriangleAlert, box: "border-warning-border bg-warning-soft", tone: "text-warning" },
  destructive: { icon: CircleAlert, box: "border-destructive/30 bg-destructive-soft", tone: "text-destructive" },
};

/** An inline message with at most one action. `live` announces it when it appears; `icon` replaces the variant's own. */
export function Notice({
  variant = "default",
  title,
  children,
  action,
  live = false,
  icon,
  className,
}: {
  variant?: NoticeVariant;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  live?: boolean;
  icon?: LucideIcon;
  className?: string;
}) {
  const { icon: defaultIcon, box, tone } = VARIANTS[variant];
  const Icon = icon ?? defaultIcon;
  return (
    <div
      role={live ? "alert" : undefined}
      className={cn("flex flex-wrap items-start gap-x-3 gap-y-3 rounded-md border px-4 py-3", box, className)}
    >
      <Icon aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0", tone)} />
      <div className="min-w-0 flex-1">
        {title ? <p className={cn("font-medium", variant !== "default" && tone)}>{title}</p> : null}
        {children ? <div className={cn("max-w-[72ch] text-foreground", title && "mt-0.5")}>{children}</div> : null}
      </div>
      {action ? <div className="max-md:w-full max-md:[&>*]:w-full">{action}</div> : null}
    </div>
  );
}
