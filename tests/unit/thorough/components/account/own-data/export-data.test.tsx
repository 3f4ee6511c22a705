/** @jest-environment jsdom */
import { Blob } from "node:buffer";
import { screen, waitFor } from "@testing-library/react";
import { ExportData } from "@/components/account/own-data/export-data";
import { failure, renderScreen } from "@/tests/support/render";

const NAME = "content-planner-2026-11-21.zip";
const END = Uint8Array.of(0x50, 0x4b, 5, 6, ...Array(18).fill(0));

/** What the browser was asked to save. */
const saved: { name: string; file: unknown }[] = [];
let files: unknown[] = [];

beforeEach(() => {
  saved.length = 0;
  files = [];
  URL.createObjectURL = (file: unknown) => `blob:${files.push(file)}`;
  URL.revokeObjectURL = () => undefined;
  jest.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, file: files[Number(this.href.slice(5)) - 1] });
  });
});

type Answer = { status?: number; text?: string; blob?: () => Promise<Blob> };

function answer(reply: () => Promise<Answer>): void {
  global.fetch = jest.fn(async () => {
    const { status = 200, text = "", blob } = await reply();
    const headers = { "content-disposition": `attachment; filename="${NAME}"` };
    return {
      ok: status < 400,
      status,
      statusText: "",
      headers: new Map(Object.entries(headers)),
      text: async () => text,
      blob,
    };
  }) as unknown as typeof fetch;
}

const button = () => screen.getByRole("button", { name: "Export everything" });

async function press() {
  const { user } = renderScreen(<ExportData />);
  await user.click(button());
}

it("saves the download under the server's file name, and is busy meanwhile", async () => {
  let give: (reply: Answer) => void = () => undefined;
  answer(() => new Promise((resolve) => (give = resolve)));
  await press();
  await waitFor(() => expect(button()).toHaveAttribute("aria-busy", "true"));
  const zip = new Blob(["texts", END]);
  give({ blob: async () => zip });
  expect(await screen.findByText("Export saved")).toBeVisible();
  expect(screen.getByText(`${NAME} is where your browser keeps downloads.`)).toBeVisible();
  expect(saved).toEqual([{ name: NAME, file: zip }]);
  expect(fetch).toHaveBeenCalledWith("/api/user/export", expect.objectContaining({ method: "GET" }));
});

const offline = async (): Promise<never> => {
  throw new TypeError("Failed to fetch");
};
const failures: [string, () => Promise<Answer>, RegExp][] = [
  [
    "the hour's exports are used up",
    async () => ({ status: 429, text: JSON.stringify(failure("Too many attempts.", "RATE_LIMITED")) }),
    /Too many attempts/,
  ],
  [
    "the server failed",
    async () => ({ status: 500, text: JSON.stringify(failure("Something went wrong on our side.", "INTERNAL")) }),
    /on our side/,
  ],
  ["another server answered", async () => ({ status: 502, text: "<html>" }), /could not be made.*still here/],
  ["the server is unreachable", offline, /The server did not answer/],
  ["the download breaks off", async () => ({ blob: offline }), /broke off half way and was not saved/],
  [
    "half a zip looks complete",
    async () => ({ blob: async () => new Blob(["PK and half of a text"]) }),
    /broke off half way/,
  ],
  ["the download is empty", async () => ({ blob: async () => new Blob([]) }), /broke off half way/],
];

it.each(failures)("saves nothing and says why when %s", async (_case, reply, sentence) => {
  answer(reply);
  await press();
  expect(await screen.findByText("Nothing was exported")).toBeVisible();
  expect(screen.getByText(sentence)).toBeVisible();
  expect(saved).toEqual([]);
  expect(files).toEqual([]);
  expect(button()).not.toHaveAttribute("aria-busy", "true");
});
