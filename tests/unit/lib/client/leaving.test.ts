/** @jest-environment jsdom */
import { disableUnloadWarning, guardLeaving, hasUnsavedText, leave, warnBeforeUnload } from "@/lib/client/leave-guard";
import { notifyNavigationStart, onNavigationStart } from "@/lib/client/navigation";

const needsConfirmation = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

describe("leaving the page", () => {
  it("happens at once, or when the guard allows it", () => {
    const proceed = jest.fn();
    const confirm = jest.fn();
    const release = guardLeaving(confirm);
    leave(proceed);
    expect(confirm).toHaveBeenCalledWith(proceed);
    expect(proceed).not.toHaveBeenCalled();
    release();
    leave(proceed);
    expect(proceed).toHaveBeenCalledTimes(1);
    expect(confirm).toHaveBeenCalledTimes(1);
  });

  it("is reported to the last listener until it unsubscribes", () => {
    const [first, second] = [jest.fn(), jest.fn()];
    const stopFirst = onNavigationStart(first);
    const stopSecond = onNavigationStart(second);
    stopFirst();
    notifyNavigationStart();
    expect(second).toHaveBeenCalledTimes(1);
    stopSecond();
    notifyNavigationStart();
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledTimes(1);
  });
});

describe("closing the page", () => {
  it("needs confirmation while there is unsaved text", () => {
    let isUnsaved = false;
    expect([needsConfirmation(), hasUnsavedText()]).toEqual([false, false]);
    const release = warnBeforeUnload(() => isUnsaved);
    expect([needsConfirmation(), hasUnsavedText()]).toEqual([false, false]);
    isUnsaved = true;
    expect([needsConfirmation(), hasUnsavedText()]).toEqual([true, true]);
    release();
    expect([needsConfirmation(), hasUnsavedText()]).toEqual([false, false]);
  });

  it("needs confirmation by default, but not once the text is stored, until the browser brings the page back", () => {
    const release = warnBeforeUnload();
    expect([needsConfirmation(), hasUnsavedText()]).toEqual([true, true]);
    disableUnloadWarning();
    expect([needsConfirmation(), hasUnsavedText()]).toEqual([false, true]);
    window.dispatchEvent(new Event("pageshow"));
    expect(needsConfirmation()).toBe(true);
    release();
  });
});
