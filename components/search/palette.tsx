"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { Command } from "cmdk";
import {
  FileText,
  Folder,
  Globe,
  House,
  ListChecks,
  type LucideIcon,
  MessageSquareText,
  Search,
  Settings,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue, useState } from "react";
import { useProjectSearch } from "@/components/projects/use-project-search";
import { ModalContent } from "@/components/shared/modal-content";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { useDebounced } from "@/components/shared/use-debounced";
import { Dialog, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { errorText } from "@/lib/client/api";
import { leave } from "@/lib/client/leave-guard";
import { useOptimisticQuery } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";
import { useQueryData } from "@/lib/client/use-query-data";
import { librarySearchQuery } from "@/lib/features/content/client";
import { SEARCH_MAX } from "@/lib/features/content/rules";
import type { ListedProject } from "@/lib/features/projects/schema";

const SCREENS: { href: string; label: string; icon: LucideIcon }[] = [
  { href: "/", label: "Home", icon: House },
  { href: "/content", label: "Content", icon: FileText },
  { href: "/wordpress-publishing", label: "WordPress", icon: Globe },
  { href: "/queue-monitor", label: "Queue Monitor", icon: ListChecks },
  { href: "/assistant", label: "Planning assistant", icon: MessageSquareText },
  { href: "/settings", label: "Settings", icon: Settings },
];

/** Projects shown at most; the newest come first. */
const MAX_PROJECTS = 6;

/** One field to find screens, projects by title or description, and pieces by title or text. */
export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent className="gap-0 p-0 md:top-24 md:max-w-xl md:translate-y-0 md:p-0 max-md:pt-0">
        <DialogTitle className="sr-only">Search or jump to</DialogTitle>
        <DialogDescription className="sr-only">Screens, projects and content</DialogDescription>
        <Results onChosen={() => onOpenChange(false)} />
      </ModalContent>
    </Dialog>
  );
}

function Results({ onChosen }: { onChosen: () => void }) {
  const router = useRouter();
  const [text, setText] = useState("");
  const filter = useDeferredValue(text.trim().toLowerCase());
  const search = useDebounced(text.trim());
  const projects = useProjectSearch(text, useQueryData<ListedProject[]>(keys.projects()), MAX_PROJECTS);
  const pieces = useOptimisticQuery({
    ...librarySearchQuery(search),
    enabled: search !== "",
    placeholderData: keepPreviousData,
  });
  const screens = SCREENS.filter(({ label }) => label.toLowerCase().includes(filter));
  const hits = search === "" ? [] : (pieces.data ?? []);

  const error = pieces.isError
    ? errorText(pieces.error, "Error fetching content")
    : projects.error && errorText(projects.error, "Failed to fetch projects");

  function go(href: string) {
    onChosen();
    leave(() => router.push(href));
  }

  return (
    <Command shouldFilter={false} loop label="Search or jump to">
      <div className="flex items-center gap-3 border-b pr-12 pl-4">
        <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
        <Command.Input
          value={text}
          onValueChange={setText}
          maxLength={SEARCH_MAX}
          dir="auto"
          placeholder="Search or jump to"
          className="h-13 min-w-0 flex-1 bg-transparent outline-none max-md:text-md"
        />
      </div>
      <ScrollRegion className="max-h-[min(60dvh,420px)]">
        <Command.List className="p-2">
          <Command.Empty className="px-2 py-6 text-muted-foreground">
            {pieces.isFetching || projects.isSearching ? "Searching …" : "Nothing was found."}
          </Command.Empty>
          <Hits
            heading="Content"
            hits={hits.map(({ id, title }) => ({ href: `/content/${id}`, label: title }))}
            icon={FileText}
            onChoose={go}
          />
          <Hits
            heading="Projects"
            hits={projects.projects.map(({ id, title }) => ({
              href: `/projects/${id}`,
              label: title || `Project ${id}`,
            }))}
            icon={Folder}
            onChoose={go}
          />
          <Hits heading="Go to" hits={screens} onChoose={go} />
        </Command.List>
      </ScrollRegion>
      {error ? (
        <p role="alert" className="border-t px-4 py-3 text-destructive text-sm">
          {error}
        </p>
      ) : null}
    </Command>
  );
}

type Hit = { href: string; label: string; icon?: LucideIcon };

function Hits({
  heading,
  hits,
  icon,
  onChoose,
}: {
  heading: string;
  hits: Hit[];
  icon?: LucideIcon;
  onChoose: (href: string) => void;
}) {
  if (hits.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-muted-foreground [&_[cmdk-group-heading]]:text-xs"
    >
      {hits.map(({ href, label, icon: own }) => {
        const Icon = own ?? icon ?? FileText;
        return (
          <Command.Item
            key={href}
            value={href}
            onSelect={() => onChoose(href)}
            className="flex min-h-9 cursor-pointer items-center gap-3 rounded-sm px-2 py-1.5 data-[selected=true]:bg-hover max-md:min-h-11"
          >
            <Icon aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-muted-foreground" />
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {label}
            </span>
          </Command.Item>
        );
      })}
    </Command.Group>
  );
}
