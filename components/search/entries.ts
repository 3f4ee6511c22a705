import {
  FilePlus2,
  FileText,
  FolderPlus,
  Globe,
  House,
  ListChecks,
  LogOut,
  type LucideIcon,
  MessageSquareText,
  Monitor,
  Moon,
  Settings,
  Sun,
} from "lucide-react";
import type { Theme } from "@/lib/client/theme";
import type { TopicHit } from "@/lib/features/search/schema";

/** What choosing a row does: opens an address, adds a piece to a topic, or does something else here. */
export type Choice =
  | { href: string }
  | { topic: TopicHit }
  | { theme: Theme }
  | "new project"
  | "new piece"
  | "sign out";

/** `words`: others by which it is found. */
export type SearchEntry = { label: string; words: string; icon: LucideIcon; choice: Choice };

export const SCREENS: SearchEntry[] = [
  { label: "Home", words: "projects dashboard", icon: House, choice: { href: "/" } },
  { label: "Content", words: "library pieces posts", icon: FileText, choice: { href: "/content" } },
  { label: "WordPress", words: "publishing", icon: Globe, choice: { href: "/wordpress-publishing" } },
  { label: "Queue Monitor", words: "jobs", icon: ListChecks, choice: { href: "/queue-monitor" } },
  { label: "Planning assistant", words: "chat", icon: MessageSquareText, choice: { href: "/assistant" } },
  {
    label: "Settings",
    words: "api key openai application password account profile site",
    icon: Settings,
    choice: { href: "/settings" },
  },
];

export const ACTIONS: SearchEntry[] = [
  { label: "New project", words: "create add", icon: FolderPlus, choice: "new project" },
  { label: "New piece", words: "create add write content", icon: FilePlus2, choice: "new piece" },
  { label: "Theme: System", words: "", icon: Monitor, choice: { theme: "system" } },
  { label: "Theme: Light", words: "", icon: Sun, choice: { theme: "light" } },
  { label: "Theme: Dark", words: "", icon: Moon, choice: { theme: "dark" } },
  { label: "Sign out", words: "logout log out", icon: LogOut, choice: "sign out" },
];
