/** @jest-environment node */
import { KNOWN_SESSIONS } from "@/lib/limits/bounds";
import { callerOf, noteSession } from "@/lib/limits/callers";

const withCookie = (cookie: string) => new Headers({ cookie });

it("identifies strangers and unchecked sessions by their address", () => {
  const stranger = callerOf(new Headers());
  expect(stranger).toEqual({ key: "address shared", width: 10 });
  expect(callerOf(withCookie("session=forged"))).toEqual(stranger);
});

it("counts all of a user's sessions as one caller once they have been read, until they end", () => {
  noteSession("one", "maren");
  noteSession("two", "maren");
  const maren = { key: "user maren", width: 1 };
  expect([callerOf(withCookie("session=one")), callerOf(withCookie("theme=dark; session=two"))]).toEqual([
    maren,
    maren,
  ]);
  noteSession("one", undefined);
  expect(callerOf(withCookie("session=one")).key).toBe("address shared");
});

it("remembers only the most recently used sessions, up to its bound", () => {
  noteSession("first", "maren");
  noteSession("second", "maren");
  for (let at = 0; at < KNOWN_SESSIONS - 2; at++) noteSession(`other ${at}`, "somebody");
  noteSession("first", "maren");
  noteSession("one more", "somebody");
  expect(callerOf(withCookie("session=first")).key).toBe("user maren");
  expect(callerOf(withCookie("session=second")).key).toBe("address shared");
});
