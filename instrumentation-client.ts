import { notifyNavigationStart } from "@/lib/client/navigation";
import { noteNavigation, notePageLoad } from "@/lib/client/screen-memory";

notePageLoad();

/** Next calls it for every link, `router.push` and step through the history, inside the transition that leads there. */
export function onRouterTransitionStart(url: string, kind: "push" | "replace" | "traverse"): void {
  notifyNavigationStart();
  noteNavigation(url, kind);
}
