import { saveSetting } from "@/lib/client/browser-settings";

/** For tests of an outline's Markdown: the user last looked at that, and not at the cards. */
export function lookAtMarkdown(): void {
  beforeEach(() => saveSetting("outline-view", "source"));
  afterEach(() => saveSetting("outline-view", null));
}
