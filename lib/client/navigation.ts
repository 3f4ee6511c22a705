type Listener = () => void;

let listener: Listener | undefined;

/** Calls back at the start of every navigation inside the app. Returns the unsubscribe function. */
export function onNavigationStart(callback: Listener): () => void {
  listener = callback;
  return () => {
    if (listener === callback) listener = undefined;
  };
}

/** Only instrumentation-client.ts calls it, when the router starts to load another page. */
export function notifyNavigationStart(): void {
  listener?.();
}
