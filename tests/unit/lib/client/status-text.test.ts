import { STATUS_CODES } from "node:http";
import { statusText } from "@/lib/client/status-text";

it.each([400, 401, 403, 404, 405, 408, 409, 414, 415, 429, 431, 500, 501, 502, 503, 504])(
  "names %s by its standard phrase",
  (status) => {
    expect(statusText(status)).toBe(STATUS_CODES[status]);
  },
);

// Node still has the phrases of an older standard.
it.each([
  [413, "Content Too Large"],
  [422, "Unprocessable Content"],
])("names %s as RFC 9110 does", (status, phrase) => {
  expect(statusText(status)).toBe(phrase);
});

it("names an uncommon status by its number", () => {
  expect(statusText(418)).toBe("Status 418");
});
