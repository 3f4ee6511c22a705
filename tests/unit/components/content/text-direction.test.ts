import { textDirection } from "@/components/content/text-direction";

it.each([
  ["a", "auto"],
  ["مرحبا\nhello", "auto"],
  [`1. hello\n${"مرحبا\n".repeat(3_000)}`, "ltr"],
  [`1. مرحبا\n${"hello\n".repeat(3_000)}`, "rtl"],
  [`שלום${"\n".repeat(500_000)}`, "rtl"],
  ["\n".repeat(500_000), "ltr"],
  ["a".repeat(500_000), "auto"],
  ["\n".repeat(2_000), "auto"],
  ["\n".repeat(2_001), "ltr"],
])(
  "gives each line its own direction, or all the first letter's in a text of thousands of lines: %#",
  (text, direction) => {
    expect(textDirection(text)).toBe(direction);
  },
);
