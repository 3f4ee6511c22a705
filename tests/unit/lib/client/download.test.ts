/** @jest-environment jsdom */
import { downloadZip } from "@/lib/client/download";

/** The record that ends a zip without files. */
const END = [0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)];

let saved: { name: string; url: string }[];
const createObjectURL = jest.fn(() => "blob:zip");
const revokeObjectURL = jest.fn();

beforeEach(() => {
  jest.useFakeTimers();
  saved = [];
  Object.assign(URL, { createObjectURL, revokeObjectURL });
  jest.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, url: this.href });
  });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  revokeObjectURL.mockClear();
});

/** Makes `fetch` respond with a zip of these bytes, or with a download that breaks off. */
function respondWith(bytes: number[] | null, disposition: string | null = 'attachment; filename="all.zip"') {
  const zip = (from = bytes ?? []) => ({
    size: from.length,
    slice: (start: number) => zip(from.slice(start)),
    arrayBuffer: async () => new Uint8Array(from).buffer,
  });
  global.fetch = jest.fn(async () => ({
    ok: true,
    headers: { get: () => disposition },
    blob: () => (bytes ? Promise.resolve(zip()) : Promise.reject(new TypeError("network error"))),
  })) as unknown as typeof fetch;
}

it("saves a zip under the name the server gives it", async () => {
  respondWith([1, 2, 3, ...END]);
  expect(await downloadZip("/api/user/export")).toBe("all.zip");
  expect(saved).toEqual([{ name: "all.zip", url: "blob:zip" }]);
});

it.each([null, "attachment"])("saves a zip without a file name as download.zip: %p", async (disposition) => {
  respondWith(END, disposition);
  expect(await downloadZip("/api/user/export")).toBe("download.zip");
});

it("keeps the file for a minute, since some browsers read it late", async () => {
  respondWith(END);
  await downloadZip("/api/user/export");
  jest.advanceTimersByTime(59_999);
  expect(revokeObjectURL).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(revokeObjectURL).toHaveBeenCalledWith("blob:zip");
});

it.each([
  ["shorter than the shortest zip", END.slice(1)],
  ["cut off before its end", [...END, 0]],
  ["empty", []],
  ...END.slice(0, 4).map((_, at): [string, number[]] => [
    `different in byte ${at}`,
    END.map((byte, place) => (place === at ? byte + 1 : byte)),
  ]),
])("saves no file that is %s", async (_what, bytes) => {
  respondWith(bytes);
  await expect(downloadZip("/api/user/export")).rejects.toThrow("The download broke off.");
  expect(saved).toEqual([]);
});

it("saves no file whose download breaks off", async () => {
  respondWith(null);
  await expect(downloadZip("/api/user/export")).rejects.toThrow("The download broke off.");
  expect(saved).toEqual([]);
});
