"use client";

import { Command } from "cmdk";
import { Search } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import type { Choice } from "@/components/search/entries";
import type { Hit, HitGroup } from "@/components/search/groups";
import { useSearch } from "@/components/search/use-search";
import { useScrollRegion } from "@/components/shared/scroll-region";
import { SEARCH_MAX } from "@/lib/features/content/rules";

/** The field and what it finds. Choosing "New piece" asks for its topic first; Backspace in the empty field goes back. */
export function Results({ onChoose }: { onChoose: (choice: Exclude<Choice, "new piece">) => void }) {
  const [text, setText] = useState("");
  const [wanted, setWanted] = useState<"everything" | "topic">("everything");
  const scrolling = useScrollRegion("max-h-[min(60dvh,420px)] scroll-py-2 p-2");
  const { groups, isSearching, error } = useSearch(text, wanted);

  function choose(choice: Choice) {
    if (choice !== "new piece") return onChoose(choice);
    setWanted("topic");
    setText("");
  }

  function onKeyDown({ key }: KeyboardEvent) {
    if (key === "Backspace" && text === "") setWanted("everything");
  }

  return (
    // The key starts the list for topics afresh, with its first row selected.
    <Command key={wanted} shouldFilter={false} loop label="Search or jump to">
      <div className="flex items-center gap-3 border-b pr-12 pl-4">
        <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
        <Command.Input
          autoFocus={wanted === "topic"}
          value={text}
          onValueChange={setText}
          onKeyDown={onKeyDown}
          maxLength={SEARCH_MAX}
          dir="auto"
          placeholder={wanted === "topic" ? "In which topic?" : "Search or jump to"}
          className="h-15 min-w-0 flex-1 bg-transparent outline-none max-md:text-md"
        />
      </div>
      {/* The list itself scrolls: a region around it would need the focus. The selected row keeps clear of its edge. */}
      <Command.List {...scrolling}>
        <Command.Empty className="px-2 py-6 text-muted-foreground">
          {isSearching ? "Searching …" : nothing(wanted, text)}
        </Command.Empty>
        {groups.map((group) => (
          <Group key={group.heading} group={group} onChoose={choose} />
        ))}
      </Command.List>
      {error ? (
        <p role="alert" className="border-t px-4 py-3 text-destructive text-sm">
          {error}
        </p>
      ) : null}
    </Command>
  );
}

function nothing(wanted: "everything" | "topic", text: string): string {
  if (wanted === "topic" && text.trim() === "") return "There is no topic yet. Open a project and create one first.";
  return "Nothing was found.";
}

function Group({ group: { heading, hits }, onChoose }: { group: HitGroup; onChoose: (choice: Choice) => void }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-muted-foreground [&_[cmdk-group-heading]]:text-xs"
    >
      {hits.map((hit) => (
        <Row key={hit.id} hit={hit} onSelect={() => onChoose(hit.choice)} />
      ))}
    </Command.Group>
  );
}

function Row({ hit: { id, label, about, icon: Icon }, onSelect }: { hit: Hit; onSelect: () => void }) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-sm px-2 py-1.5 data-[selected=true]:bg-hover max-md:min-h-11"
    >
      <Icon aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-muted-foreground" />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {label}
      </span>
      {about ? (
        <span dir="auto" className="max-w-[40%] shrink-0 truncate text-muted-foreground text-sm">
          {about}
        </span>
      ) : null}
    </Command.Item>
  );
}
