import { notifyNavigationStart } from "@/lib/client/navigation";

/** Next calls it for every link, `router.push` and step through the history, inside the transition that leads there. */
export function onRouterTransitionStart(): void {
  notifyNavigationStart();
}
