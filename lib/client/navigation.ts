import { listenerSet } from "@/lib/utils/bounded";

type Listener = () => void;

const listeners = listenerSet<Listener>("listeners to navigations");

/** Calls back at the start of every navigation inside the app. Returns the unsubscribe function. */
export function onNavigationStart(callback: Listener): () => void {
  listeners.add(callback);
  return () => {
    listeners.delete(callback);
  };
}

/** Only instrumentation-client.ts calls it, when the router starts to load another page. */
export function notifyNavigationStart(): void {
  for (const listener of listeners) listener();
}
