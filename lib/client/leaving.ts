type Ask = (goOn: () => void) => void;

const holders = new Set<Ask>();

/** For whoever holds unsaved text: `ask` hears of each attempt to leave, with what to do if the person wants to. */
export function holdBack(ask: Ask): () => void {
  holders.add(ask);
  return () => holders.delete(ask);
}

const reasons = new Set<() => boolean>();

/** Lets the browser ask before the page is closed or loaded anew, whenever something would be lost then. */
export function askBeforeUnload(isDue: () => boolean = () => true): () => void {
  const ask = (event: BeforeUnloadEvent) => (mayAsk && isDue() ? event.preventDefault() : undefined);
  window.addEventListener("beforeunload", ask);
  reasons.add(isDue);
  return () => {
    window.removeEventListener("beforeunload", ask);
    reasons.delete(isDue);
  };
}

/** Something is typed that would be lost with the page. */
export function isSomethingUnsaved(): boolean {
  return [...reasons].some((isDue) => isDue());
}

let mayAsk = true;

/** This page is left in any case, and what is unsaved on it is kept: nothing is asked on the way out. */
export function stopAsking(): void {
  mayAsk = false;
}

/** Leaves the page by other ways than a link: at once, or when the person has said that unsaved text may go. */
export function leave(goOn: () => void): void {
  const [ask] = holders;
  if (ask) ask(goOn);
  else goOn();
}
