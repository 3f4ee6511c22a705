import { type EditorView, WidgetType } from "@codemirror/view";

/** Takes the place of a mark. Unlike nothing at all, it can be kept from breaking the line: see the theme. */
export class HiddenWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    return element("span", "cm-hidden");
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** The dot of a list item. */
export class BulletWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    return element("span", "cm-list-mark cm-bullet");
  }
}

/** A divider. */
export class RuleWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const rule = element("span", "cm-rule");
    rule.setAttribute("role", "separator");
    return rule;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** The box of a task, which a click ticks. */
export class CheckboxWidget extends WidgetType {
  constructor(readonly isDone: boolean) {
    super();
  }

  override eq(other: CheckboxWidget): boolean {
    return other.isDone === this.isDone;
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.className = "cm-checkbox";
    box.checked = this.isDone;
    box.setAttribute("aria-label", "Done");
    box.tabIndex = -1;
    box.addEventListener("mousedown", (event) => event.preventDefault());
    box.addEventListener("click", (event) => {
      event.preventDefault();
      const from = view.posAtDOM(box);
      view.dispatch({ changes: { from: from + 1, to: from + 2, insert: this.isDone ? " " : "x" }, userEvent: "input" });
    });
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** An image at its place in the text, or its description if it cannot be loaded, above its caption. */
export class ImageWidget extends WidgetType {
  constructor(
    readonly address: string,
    readonly alt: string,
    readonly caption: string,
  ) {
    super();
  }

  override eq(other: ImageWidget): boolean {
    return other.address === this.address && other.alt === this.alt && other.caption === this.caption;
  }

  override toDOM(view: EditorView): HTMLElement {
    const frame = element("span", "cm-image");
    const image = document.createElement("img");
    image.alt = this.alt;
    image.referrerPolicy = "no-referrer";
    image.addEventListener("load", () => view.requestMeasure());
    image.addEventListener("error", () => {
      image.replaceWith(element("span", "cm-image-missing", `The image “${this.alt || this.address}” does not load`));
      view.requestMeasure();
    });
    image.src = this.address;
    frame.append(image);
    if (this.caption) {
      frame.classList.add("cm-figure");
      const caption = element("span", "cm-caption", this.caption);
      caption.dir = "auto";
      frame.append(caption);
    }
    return frame;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

export function element(name: string, className: string, text?: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
