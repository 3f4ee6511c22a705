import type { Rect, TooltipView } from "@codemirror/view";
import { element } from "@/components/shared/markdown-editor/widgets";
import { isComposing } from "@/lib/client/composing";

type Ways = {
  /** Returns false for what is not an address of the web. */
  cite: (address: string) => boolean;
  write: () => void;
  drop: () => void;
  /** `hasFocus`: the text gets it. */
  close: (hasFocus: boolean) => void;
};

const WRONG = "Paste an address that begins with https:// or http://.";

/** Three ways to mend a missing source, at its chip. It keeps what was typed until one is taken or it is closed. */
export class SourcePopover implements TooltipView {
  readonly dom = element("div", "cm-source-popover");
  readonly offset = { x: 0, y: 4 };
  readonly #address = document.createElement("input");
  readonly #error = element("p", "cm-source-error");
  readonly #ways: Ways;

  /** `getCoords` returns where the chip is, which may be several lines. */
  constructor(
    name: string,
    readonly getCoords: () => Rect,
    ways: Ways,
  ) {
    this.#ways = ways;
    this.dom.setAttribute("role", "dialog");
    this.dom.setAttribute("aria-label", name);
    // A click between its controls leaves the focus in it.
    this.dom.tabIndex = -1;
    this.dom.append(element("p", "cm-source-claim", name), this.#field(), this.#error, this.#buttons());
    this.dom.addEventListener("keydown", (event) => this.#onKey(event));
    this.dom.addEventListener("focusout", ({ relatedTarget }) => {
      // Without a target, the window itself has lost the focus: the address is being copied elsewhere.
      if (relatedTarget instanceof Node && !this.dom.contains(relatedTarget)) ways.close(false);
    });
  }

  mount(): void {
    document.addEventListener("pointerdown", this.#onPointer);
    this.#address.focus({ preventScroll: true });
  }

  destroy(): void {
    document.removeEventListener("pointerdown", this.#onPointer);
  }

  readonly #onPointer = ({ target }: Event): void => {
    if (target instanceof Node && !this.dom.contains(target)) this.#ways.close(false);
  };

  #field(): HTMLElement {
    const label = element("label", "", "Paste a link");
    const row = element("div", "cm-source-row");
    this.#address.className = "cm-textfield";
    this.#address.type = "url";
    this.#address.placeholder = "https://…";
    this.#address.autocomplete = "off";
    this.#error.id = "cm-source-error";
    this.#error.setAttribute("role", "alert");
    label.append(this.#address);
    row.append(
      label,
      button("Add link", () => this.#cite()),
    );
    return row;
  }

  #buttons(): HTMLElement {
    const row = element("div", "cm-source-buttons");
    row.append(button("Write the fact", this.#ways.write), button("Drop the claim", this.#ways.drop));
    return row;
  }

  #onKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const isCiting = event.key === "Enter" && event.target === this.#address;
    if (!isCiting && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (isCiting) this.#cite();
    else this.#ways.close(true);
  }

  #cite(): void {
    if (this.#ways.cite(this.#address.value)) return;
    this.#error.textContent = WRONG;
    this.#address.setAttribute("aria-invalid", "true");
    this.#address.setAttribute("aria-describedby", this.#error.id);
    this.#address.focus();
  }
}

function button(words: string, act: () => void): HTMLElement {
  const made = element("button", "cm-button", words);
  made.setAttribute("type", "button");
  made.addEventListener("click", act);
  return made;
}
