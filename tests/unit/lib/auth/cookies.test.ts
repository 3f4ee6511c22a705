import { cookieValues } from "@/lib/auth/cookies";

it.each([
  [null, []],
  ["", []],
  ["session", []],
  ["=session", []],
  ["session=", [""]],
  ["session=a", ["a"]],
  ["theme=dark; session=a;session=b ; xsession=c; sessions=d", ["a", "b"]],
  [" session = a=b", ["a=b"]],
  ["s=1", []],
  ["session=%61", ["%61"]],
])("%j holds %j", (header, values) => {
  expect(cookieValues(header, "session")).toEqual(values);
});

it("finds a cookie with a name of one letter", () => {
  expect(cookieValues("s=1", "s")).toEqual(["1"]);
});
