/** @jest-environment jsdom */
import { act, renderHook } from "@testing-library/react";
import { z } from "zod";
import { focusFirstError, parseForm } from "@/lib/client/form";
import { useFormCheck } from "@/lib/client/form-check";
import { toasts } from "@/lib/client/toast";

const shown = jest.fn();
beforeEach(() => {
  shown.mockClear();
  toasts.open({ show: shown, withdraw: jest.fn(), clear: jest.fn() });
});

const schema = z.object({ title: z.string().min(1, "A title, please.") });

describe("the input of a form", () => {
  it("is parsed into the schema's data, or into error messages for each field", () => {
    expect(parseForm(schema, { title: "A", more: 1 })).toEqual({ data: { title: "A" }, errors: null });
    expect(parseForm(schema, { title: "" })).toEqual({ data: null, errors: { title: ["A title, please."] } });
  });
});

describe("the first field with an error", () => {
  let frames: FrameRequestCallback[];
  beforeEach(() => {
    frames = [];
    jest.spyOn(window, "requestAnimationFrame").mockImplementation((callback) => frames.push(callback));
    document.body.innerHTML = '<form><input id="one"><input id="two"><input id="three"></form>';
  });
  afterEach(() => jest.restoreAllMocks());

  const form = () => document.querySelector("form");
  /** Runs animation frames until none is requested; returns their number. */
  function runFrames(markAfter: number): number {
    let count = 0;
    for (let frame = frames.shift(); frame && count < 100; frame = frames.shift()) {
      if (count === markAfter)
        for (const id of ["two", "three"]) document.getElementById(id)?.setAttribute("aria-invalid", "true");
      frame(0);
      count++;
    }
    return count;
  }

  it("is focused in the frame in which it is marked", () => {
    focusFirstError(form());
    expect(runFrames(3)).toBe(4);
    expect(document.getElementById("two")).toHaveFocus();
  });

  it("is waited for during thirty frames at most", () => {
    focusFirstError(form());
    expect(runFrames(100)).toBe(30);
    focusFirstError(null);
    expect(runFrames(100)).toBe(30);
    expect(document.body).toHaveFocus();
  });
});

describe("a form whose schema is loaded with the first input", () => {
  it("is checked one submit at a time", async () => {
    let finishLoading: (loaded: typeof schema) => void = () => undefined;
    const load = jest.fn(() => new Promise<typeof schema>((resolve) => (finishLoading = resolve)));
    const { result } = renderHook(() => useFormCheck(load));
    expect(result.current.isChecking).toBe(false);
    let first: unknown;
    await act(async () => void result.current.check({ title: "A" }).then((typed) => (first = typed)));
    expect(result.current.isChecking).toBe(true);
    expect(await result.current.check({ title: "B" })).toBeNull();
    expect(load).toHaveBeenCalledTimes(1);
    await act(async () => finishLoading(schema));
    expect(first).toEqual({ data: { title: "A" }, errors: null });
    expect(result.current.isChecking).toBe(false);
  });

  it("shows that its schema could not be loaded, and can be submitted again", async () => {
    const { result } = renderHook(() => useFormCheck(() => Promise.reject(new Error("ChunkLoadError"))));
    await act(async () => expect(await result.current.check({})).toBeNull());
    expect(shown).toHaveBeenCalledWith(
      expect.objectContaining({ description: expect.stringMatching(/^This part of the page could not be loaded\./) }),
    );
    expect(result.current.isChecking).toBe(false);
  });

  it("preloads its schema, and shows no toast when that fails", async () => {
    const load = jest.fn(() => Promise.reject(new Error("ChunkLoadError")));
    const { result } = renderHook(() => useFormCheck(load));
    await act(async () => result.current.warm());
    expect(load).toHaveBeenCalledTimes(1);
    expect(shown).not.toHaveBeenCalled();
  });
});
