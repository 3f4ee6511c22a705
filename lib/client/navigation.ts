type Listener = () => void;

let listener: Listener | undefined;

/** Calls `react` at the start of every change of the page inside the app; answers how to stop. */
export function whenNavigating(react: Listener): () => void {
  listener = react;
  return () => {
    if (listener === react) listener = undefined;
  };
}

/** For instrumentation-client.ts alone: the router is on its way to another page. */
export function navigationStarts(): void {
  listener?.();
}
