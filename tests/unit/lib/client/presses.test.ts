/** @jest-environment jsdom */
import { guardPresses, noteCall } from "@/lib/client/presses";
import { click, pressEnter } from "@/tests/support/presses";

let stop: () => void = () => undefined;
let pressed: string[] = [];

beforeEach(() => {
  pressed = [];
  const page = document.createElement("main");
  page.innerHTML = `
    <button id="one">Publish</button> <button id="other">Unpublish</button>
    <div role="dialog" data-state="closed"><button id="fading">Create Topic</button></div>
    <form><input id="field" /><button id="submit" type="submit">Add</button></form>
    <textarea id="lines"></textarea> <div contenteditable="true" id="text">A text</div>`;
  page.addEventListener("click", ({ target }) => pressed.push((target as HTMLElement).id));
  page.addEventListener("submit", (event) => event.preventDefault());
  document.body.replaceChildren(page);
  stop = guardPresses(window);
});
afterEach(() => stop());

const at = (id: string) => document.getElementById(id) as HTMLElement;

describe("the second press of a double click", () => {
  it.each([0, 60, 150, 250, 350, 500])(
    "after %s ms is ignored where something else has come under the pointer",
    (gap) => {
      click(at("one"), { at: 1_000 });
      click(at("other"), { at: 1_000 + gap });
      expect(pressed).toEqual(["one"]);
    },
  );

  it("is ignored where the same button now says something else", () => {
    click(at("one"), { at: 1_000 });
    at("one").textContent = "Unpublish";
    click(at("one"), { at: 1_350 });
    expect(pressed).toEqual(["one"]);
  });

  it("is ignored where the first has sent something, even if it is answered by then", async () => {
    at("one").addEventListener("click", () => void Promise.resolve().then(noteCall), { once: true });
    click(at("one"), { at: 1_000 });
    await Promise.resolve();
    click(at("one"), { at: 1_350 });
    expect(pressed).toEqual(["one"]);
  });

  it("counts where neither is so: a button may be pressed quickly", async () => {
    click(at("one"), { at: 1_000 });
    await new Promise((resolve) => setTimeout(resolve));
    // Something that saves by itself meanwhile.
    noteCall();
    click(at("one"), { at: 1_100 });
    expect(pressed).toEqual(["one", "one"]);
  });

  it("counts in a text, where it selects a word, even if the text has been rendered again", () => {
    click(at("text"), { at: 1_000 });
    at("text").textContent = "**A** text";
    click(at("text"), { at: 1_200 });
    expect(pressed).toEqual(["text", "text"]);
  });
});

describe("a press is none of a double click", () => {
  it("half a second later", () => {
    click(at("one"), { at: 1_000 });
    click(at("other"), { at: 1_501 });
    expect(pressed).toEqual(["one", "other"]);
  });

  it("elsewhere", () => {
    click(at("one"), { at: 1_000, x: 40 });
    click(at("other"), { at: 1_050, x: 140 });
    expect(pressed).toEqual(["one", "other"]);
  });

  it.each(["keydown", "input"])("after %s", (type) => {
    click(at("one"), { at: 1_000 });
    at("field").dispatchEvent(new Event(type, { bubbles: true }));
    click(at("other"), { at: 1_100 });
    expect(pressed).toEqual(["one", "other"]);
  });
});

it("takes no press on what is fading out, by pointer or key", () => {
  click(at("fading"), { at: 1_000 });
  pressEnter(at("fading"));
  expect(pressed).toEqual([]);
});

it("ignores the repeats of a held Enter on buttons and in fields; a new press counts", () => {
  for (const id of ["one", "field"]) {
    for (const repeat of [false, true, true]) pressEnter(at(id), repeat);
    pressEnter(at(id));
  }
  expect(pressed).toEqual(["one", "one", "submit", "submit"]);
});

it.each([
  ["Enter", "lines", true],
  ["Enter", "text", true],
  [" ", "field", true],
  [" ", "one", false],
])("lets a held %p type in #%s: %s", (key, id, types) => {
  const event = new KeyboardEvent("keydown", { key, repeat: true, bubbles: true, cancelable: true });
  expect(at(id).dispatchEvent(event)).toBe(types);
});

it("leaves a script's click alone", () => {
  click(at("one"), { at: 1_000 });
  click(at("other"), { at: 1_100 });
  at("other").click();
  expect(pressed).toEqual(["one", "other"]);
});
