type Ask = (goOn: () => void) => void;

const holders = new Set<Ask>();

/** For whoever holds unsaved text: `ask` hears of each attempt to leave, with what to do if the person wants to. */
export function holdBack(ask: Ask): () => void {
  holders.add(ask);
  return () => holders.delete(ask);
}

/** Lets the browser ask before the page is closed or loaded anew, whenever something would be lost then. */
export function askBeforeUnload(isDue: () => boolean = () => true): () => void {
  const ask = (event: BeforeUnloadEvent) => (isDue() ? event.preventDefault() : undefined);
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}

/** Leaves the page by other ways than a link: at once, or when the person has said that unsaved text may go. */
export function leave(goOn: () => void): void {
  const [ask] = holders;
  if (ask) ask(goOn);
  else goOn();
}
