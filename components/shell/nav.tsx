"use client";

import { FileText, Globe, House, ListChecks, type LucideIcon, Settings } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { cn } from "@/lib/utils/cn";

type Entry = { href: string; label: string; icon: LucideIcon; under: string[] };

/** `under`: the paths for which an entry is marked as current. The assistant has no entry, so none is. */
const ENTRIES: Entry[] = [
  { href: "/", label: "Home", icon: House, under: ["/projects"] },
  { href: "/content", label: "Content", icon: FileText, under: ["/content"] },
  {
    href: "/wordpress-publishing",
    label: "WordPress",
    icon: Globe,
    under: ["/wordpress-publishing", "/wp-publishing"],
  },
  { href: "/queue-monitor", label: "Queue Monitor", icon: ListChecks, under: ["/queue-monitor"] },
  { href: "/settings", label: "Settings", icon: Settings, under: ["/settings"] },
];

export function Nav({
  onNavigate,
  labelClass,
  queueCount,
}: {
  onNavigate?: () => void;
  labelClass?: string;
  queueCount?: ReactNode;
}) {
  const pathname = usePathname();
  return (
    <nav aria-label="Main" className="grid gap-0.5 p-2">
      {ENTRIES.map((entry) => {
        const { href, label, icon: Icon } = entry;
        const isCurrent = isCurrentEntry(pathname, entry);
        return (
          <Link
            key={href}
            href={href}
            title={label}
            aria-current={isCurrent ? "page" : undefined}
            onClick={onNavigate}
            className={cn(
              "relative flex h-8 items-center gap-3 rounded-sm px-2 transition-colors hover:bg-sidebar-accent max-md:h-11",
              isCurrent &&
                "bg-sidebar-accent font-medium text-sidebar-accent-foreground before:absolute before:inset-y-2 before:-left-2 max-md:before:inset-y-3.5 before:w-0.5 before:rounded-full before:bg-link",
            )}
          >
            <Icon
              aria-hidden="true"
              strokeWidth={1.75}
              className={cn("size-4 shrink-0 text-muted-foreground", isCurrent && "text-link")}
            />
            <span className={cn("truncate", labelClass)}>{label}</span>
            {href === "/queue-monitor" && queueCount ? (
              <span className={cn("ml-auto", labelClass)}>{queueCount}</span>
            ) : null}
          </Link>
        );
      })}
    </nav>
  );
}

function isCurrentEntry(pathname: string, { href, under }: Entry): boolean {
  return pathname === href || under.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}
