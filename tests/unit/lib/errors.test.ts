import { AppError, type ErrorType, retryKind, tryAgainIn } from "@/lib/errors";

describe("a failure of a queue item", () => {
  it.each<[ErrorType, ReturnType<typeof retryKind>]>([
    ["AI_RATE_LIMITED", "wait"],
    ["MISSING_API_KEY", "hold"],
    ["INVALID_API_KEY", "hold"],
    ["OUTLINE_REQUIRED", "stop"],
    ["NOT_FOUND", "stop"],
    ["VALIDATION_ERROR", "stop"],
    ["STORAGE_FULL", "stop"],
    ["TOO_COMPLEX", "stop"],
    ["SERVICE_UNAVAILABLE", "retry"],
    ["INTERNAL", "retry"],
  ])("of type %s leads to '%s'", (type, kind) => {
    expect(retryKind(new AppError(type))).toBe(kind);
  });

  it("is retried when it is not in the catalogue", () => {
    expect(retryKind(new Error("connection reset"))).toBe("retry");
  });
});

it.each([
  [1, "1 second"],
  [0.2, "1 second"],
  [90, "90 seconds"],
  [91, "2 minutes"],
  [900, "15 minutes"],
  [5_401, "2 hours"],
  [86_400, "24 hours"],
  [129_601, "2 days"],
  [2_592_000, "30 days"],
])("says when a limit of %s seconds ends", (seconds, said) => {
  expect(tryAgainIn(seconds)).toBe(`Try again in ${said}.`);
});
