import { directionOf } from "@/lib/utils/direction";

it.each([
  ["a", "auto"],
  ["مرحبا\nhello", "auto"],
  [`1. hello\n${"مرحبا\n".repeat(3_000)}`, "ltr"],
  [`1. مرحبا\n${"hello\n".repeat(3_000)}`, "rtl"],
  [`שלום${"\n".repeat(500_000)}`, "rtl"],
  ["\n".repeat(500_000), "ltr"],
  ["a".repeat(500_000), "auto"],
])(
  "leaves the direction to each line, or takes the first letter's where there are thousands: %#",
  (text, direction) => {
    expect(directionOf(text)).toBe(direction);
  },
);
