/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import { apiEvents } from "@/lib/client/event-stream";
import { PATH } from "@/tests/support/content-editor";
import { button, inBar, OUTLINED, openEditorScreen, tab } from "@/tests/support/editor-screen";
import { aPiece } from "@/tests/support/pieces";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));
jest.mock("@/lib/client/event-stream", () => ({ apiEvents: jest.fn() }));

const STOP = `POST ${PATH}/stop-writing`;
const WRITTEN = aPiece({ ...OUTLINED, body: "## One\n\nA sentence.", hasBody: true, version: 5 });

/** A text that ends when the test says so. */
function hold(content = WRITTEN) {
  let finish: (message: string) => void = () => undefined;
  const finished = new Promise<string>((resolve) => {
    finish = resolve;
  });
  jest.mocked(apiEvents).mockImplementation(async function* () {
    yield { event: "section", data: { index: 0, count: 2, heading: "One", restart: false } };
    yield { event: "done", data: { message: await finished, content } };
  });
  return (message: string) => act(async () => finish(message));
}

it("stops the AI, shows what there is, and offers to go on", async () => {
  const finish = hold();
  const { user, writes } = await openEditorScreen(OUTLINED, { [STOP]: () => ({ json: { isStopping: true } }) });
  await user.click(inBar("Write Content with AI"));
  await user.click(await screen.findByRole("button", { name: "Stop" }));
  await waitFor(() => expect(writes()).toHaveLength(1));
  expect(button("Stop")).toHaveAttribute("aria-busy", "true");
  await finish("Stopped. What was written until then is kept.");
  expect(await screen.findByText("Stopped. What was written until then is kept.")).toBeVisible();
  expect(tab("Edit")).toHaveAttribute("aria-selected", "true");
  expect(screen.getByRole("textbox", { name: "Body" })).toHaveValue("## One\n\nA sentence.");
  hold();
  await user.click(button("Go on"));
  expect(jest.mocked(apiEvents).mock.lastCall?.[0]).toBe(`${PATH}/generate-from-outline?which=missing`);
});

it("stays with the outline when there is no text yet", async () => {
  const finish = hold({ ...WRITTEN, body: "", hasBody: false });
  const { user } = await openEditorScreen(OUTLINED);
  await user.click(inBar("Write Content with AI"));
  await finish("Stopped before anything was written.");
  expect(await screen.findByText("Stopped before anything was written.")).toBeVisible();
  expect(tab("Outline")).toHaveAttribute("aria-selected", "true");
});

it("offers to go on in the outline of a piece that has a text", async () => {
  hold();
  const { user } = await openEditorScreen({ ...OUTLINED, body: "## One\n\nText.", hasBody: true });
  await user.click(tab("Outline"));
  await user.click(button("Go on writing"));
  expect(jest.mocked(apiEvents).mock.lastCall?.[0]).toBe(`${PATH}/generate-from-outline?which=missing`);
});

it("does not offer it before there is a text", async () => {
  await openEditorScreen(OUTLINED);
  expect(screen.queryByRole("button", { name: "Go on writing" })).not.toBeInTheDocument();
});

it("stops what another window has begun, and says when there is nothing to stop", async () => {
  const { user } = await openEditorScreen(
    { isBeingWritten: true },
    { [STOP]: () => ({ json: { isStopping: false } }) },
  );
  await user.click(button("Stop"));
  expect(await screen.findByText("Nothing to stop")).toBeVisible();
  expect(button("Stop")).not.toHaveAttribute("aria-busy", "true");
});

describe("the style of one text", () => {
  const open = async () => {
    hold();
    jest.mocked(apiEvents).mockClear();
    const opened = await openEditorScreen(OUTLINED);
    await opened.user.click(screen.getByText("Just for this text"));
    return opened;
  };
  const field = (name: string) => screen.getByRole("textbox", { name });

  it("is sent with it, without what was left empty", async () => {
    const { user } = await open();
    await user.type(field("Tone"), "warm");
    await user.type(field("Words"), "1,200");
    await user.click(inBar("Write Content with AI"));
    expect(apiEvents).toHaveBeenCalledWith(expect.anything(), expect.anything(), {
      style: { tone: "warm", words: 1200 },
    });
  });

  it("is not sent when nothing was given", async () => {
    const { user } = await open();
    await user.click(inBar("Write Content with AI"));
    expect(apiEvents).toHaveBeenCalledWith(expect.anything(), expect.anything(), undefined);
  });

  it.each(["12", "9000", "many"])("is asked about when it has %s words", async (words) => {
    const { user } = await open();
    await user.type(field("Words"), words);
    expect(screen.getByText("Use 300 to 6,000.")).toBeVisible();
    await user.click(inBar("Write Content with AI"));
    expect(await screen.findByText("Words of this text: Use 300 to 6,000.")).toBeVisible();
    expect(apiEvents).not.toHaveBeenCalled();
  });
});
