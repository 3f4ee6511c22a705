import { act, screen, within } from "@testing-library/react";
import { useState } from "react";
import { ContentEditor } from "@/components/content/content-editor";
import { keys } from "@/lib/client/query-keys";
import type { ContentOut } from "@/lib/features/content/schema";
import { PATH } from "@/tests/support/content-editor";
import { aPiece, PIECE_ID } from "@/tests/support/pieces";
import { mockApi, renderScreen } from "@/tests/support/render";

/** An outline that no text was written from yet. */
export const OUTLINED = { isOutline: true, hasOutline: true, outline: "## One", hasBody: false, body: "" };
export const IDEA = { isTitleOnly: true, hasBody: false, body: "" };

/** The editor, which can be closed and opened again. */
function Screen({ projectTitle, topicName }: { projectTitle: string; topicName: string }) {
  const [isShown, setShown] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setShown(!isShown)}>
        Back
      </button>
      {isShown ? <ContentEditor id={PIECE_ID} place={{ projectTitle, topicName, language: null }} /> : null}
    </>
  );
}

/** Opens the editor on a piece; `table` answers further calls. */
export async function openEditorScreen(
  parts: Partial<ContentOut> = {},
  table: Parameters<typeof mockApi>[0] = {},
  place = { projectTitle: "Garden", topicName: "Seeds" },
) {
  const calls = mockApi({ [`GET ${PATH}`]: () => ({ json: aPiece(parts) }), ...table });
  const { user, client } = renderScreen(<Screen {...place} />);
  await screen.findByRole("button", { name: "Save Changes" });
  /** As if the AI were writing for this screen. */
  const write = (kind: "outline" | "body") =>
    act(async () => {
      const writing = { index: 0, count: 0, heading: "", sections: [] };
      client.setQueryData(keys.writing(PIECE_ID), { kind, writing });
      await new Promise((resolve) => setTimeout(resolve, 0));
    });
  /** Until a tab is chosen, the outline's opens by itself. */
  async function chooseEdit() {
    await user.click(tab("Preview"));
    await user.click(tab("Edit"));
  }
  return { user, chooseEdit, write, writes: () => calls.filter(({ method }) => method !== "GET") };
}

export const button = (name: string) => screen.getByRole("button", { name });
export const allButtons = (name: string) => screen.queryAllByRole("button", { name });
export const tab = (name: string) => screen.getByRole("tab", { name });
export const pageBar = () => document.querySelector(".page-bar") as HTMLElement;
export const inBar = (name: string) => within(pageBar()).getByRole("button", { name });
export const buttonState = (element: HTMLElement) =>
  element.getAttribute("aria-busy") === "true" ? "busy" : element.hasAttribute("disabled") ? "disabled" : "ready";
export const buttonStates = (name: string) => allButtons(name).map(buttonState);
