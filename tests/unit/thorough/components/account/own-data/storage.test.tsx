/** @jest-environment jsdom */
import { render, screen } from "@testing-library/react";
import { Storage } from "@/components/account/own-data/storage";
import { formatBytes } from "@/lib/utils/format-bytes";

const MB = 1024 ** 2;
const GB = 1024 ** 3;

it.each([
  [0, "0 KB"],
  [1, "less than 1 KB"],
  [1023, "less than 1 KB"],
  [1024, "1 KB"],
  [999 * 1024, "999 KB"],
  [1.25 * MB, "1.2 MB"],
  [2 * GB - 1, "1.9 GB"],
  [2 * GB, "2 GB"],
  [1536 * MB, "1.5 GB"],
  [5000 * GB, "4.8 TB"],
])("formats %i bytes as %s", (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});

describe("the storage of an account", () => {
  it.each([
    [0, "0 KB of 2 GB stored", "0"],
    [1.25 * MB, "1.2 MB of 2 GB stored", "0"],
    [1 * GB, "1 GB of 2 GB stored", "50"],
  ])("shows only a line and a bar for %i bytes", (usedBytes, line, percent) => {
    render(<Storage usedBytes={usedBytes} removingBytes={0} maxBytes={2 * GB} />);
    expect(screen.getByText(line)).toBeVisible();
    const bar = screen.getByRole("progressbar", { name: "Storage used" });
    expect(Math.floor(Number(bar.getAttribute("aria-valuenow")))).toBe(Number(percent));
    expect(screen.queryByText(/Delete pieces|removed/)).not.toBeInTheDocument();
  });

  it("says how much of it is being removed", () => {
    render(<Storage usedBytes={30 * MB} removingBytes={12.5 * MB} maxBytes={2 * GB} />);
    expect(screen.getByText("12 MB are being removed.")).toBeVisible();
  });

  it("says how to make room when it is almost full", () => {
    render(<Storage usedBytes={1.9 * GB} removingBytes={0} maxBytes={2 * GB} />);
    expect(screen.getByText(/^Your room is running short\. Delete pieces or projects/)).toBeVisible();
  });

  it.each([2 * GB, 2.1 * GB])("says that no text can be saved when it is full with %i bytes", (usedBytes) => {
    render(<Storage usedBytes={usedBytes} removingBytes={0} maxBytes={2 * GB} />);
    expect(screen.getByText(/^There is no room left, so no new text can be saved\. Delete pieces/)).toBeVisible();
    expect(screen.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "100");
  });
});
