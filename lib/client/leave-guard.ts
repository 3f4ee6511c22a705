import { listenerSet } from "@/lib/utils/bounded";

type Confirm = (proceed: () => void) => void;

const guards = listenerSet<Confirm>("leave guards");

/** `confirm` gets each attempt to leave, with the function to call if the user agrees to lose their changes. */
export function guardLeaving(confirm: Confirm): () => void {
  guards.add(confirm);
  return () => guards.delete(confirm);
}

/** Leaves the page other than by a link: at once, or after the guard's confirmation. */
export function leave(proceed: () => void): void {
  const [confirm] = guards;
  if (confirm) confirm(proceed);
  else proceed();
}

const unsavedChecks = listenerSet<() => boolean>("checks for unsaved text");

/** Lets the browser ask before the page is closed or reloaded while there is unsaved text. */
export function warnBeforeUnload(hasUnsaved: () => boolean = () => true): () => void {
  const warn = (event: BeforeUnloadEvent) => (isWarningOn && hasUnsaved() ? event.preventDefault() : undefined);
  window.addEventListener("beforeunload", warn);
  unsavedChecks.add(hasUnsaved);
  return () => {
    window.removeEventListener("beforeunload", warn);
    unsavedChecks.delete(hasUnsaved);
  };
}

/** Would leaving the page lose something the user typed? */
export function hasUnsavedText(): boolean {
  return [...unsavedChecks].some((hasUnsaved) => hasUnsaved());
}

let isWarningOn = true;

/** The page is about to be left in any case, with its unsaved text stored. The browser may bring it back as it was. */
export function disableUnloadWarning(): void {
  isWarningOn = false;
  window.addEventListener("pageshow", () => (isWarningOn = true), { once: true });
}
