"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { keys } from "@/lib/client/query-keys";
import { LEADS_BACK } from "@/lib/client/screen-memory";
import { useQueryData } from "@/lib/client/use-query-data";

type Crumb = { label: string; href?: string };

const PAGES: Record<string, string> = {
  "/": "Home",
  "/content": "Content",
  "/wordpress-publishing": "WordPress",
  "/queue-monitor": "Queue Monitor",
  "/settings": "Settings",
};

/** The path to this page; on phones only its last part. */
export function Breadcrumb() {
  const crumbs = useCrumbs(usePathname());
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-2 text-muted-foreground text-sm">
        {crumbs.map(({ label, href }) =>
          href ? (
            <li key={href} className="flex min-w-0 items-center gap-2 max-md:hidden [&:first-child]:shrink-0">
              <Link
                {...LEADS_BACK}
                href={href}
                title={label}
                dir="auto"
                className="truncate rounded-xs hover:text-foreground"
              >
                {label}
              </Link>
              <span aria-hidden="true" className="text-border-strong">
                /
              </span>
            </li>
          ) : (
            <li
              key={label}
              title={label}
              dir="auto"
              aria-current="page"
              className="truncate text-foreground max-md:font-medium max-md:text-base"
            >
              {label}
            </li>
          ),
        )}
      </ol>
    </nav>
  );
}

function useCrumbs(pathname: string): Crumb[] {
  const [, section = "", id = ""] = pathname.split("/");
  const isProject = ["projects", "wp-publishing", "assistant"].includes(section) && id !== "";
  const project = useTitle(keys.project(Number(id)), isProject) ?? "Project";
  const piece = useTitle(keys.content(id), section === "content" && id !== "") ?? "Content piece";
  if (PAGES[pathname]) return [{ label: PAGES[pathname] }];
  if (section === "projects") return [{ label: "Home", href: "/" }, { label: project }];
  if (section === "wp-publishing") return [{ label: "WordPress", href: "/wordpress-publishing" }, { label: project }];
  if (section === "queue-monitor")
    return [{ label: "Queue Monitor", href: "/queue-monitor" }, { label: "Being written" }];
  if (section === "content") return [{ label: "Content", href: "/content" }, { label: piece }];
  if (section === "assistant") {
    const about = id === "" ? [] : [{ label: project, href: `/projects/${id}` }];
    return [{ label: "Home", href: "/" }, ...about, { label: "Assistant" }];
  }
  return [{ label: "Home", href: "/" }, { label: "Not found" }];
}

/** The title of what the page has loaded into the cache. */
function useTitle(queryKey: readonly [string], enabled: boolean): string | undefined {
  return useQueryData<{ title: string }>(queryKey, enabled)?.title || undefined;
}
