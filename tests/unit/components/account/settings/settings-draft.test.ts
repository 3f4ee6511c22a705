import {
  changedSettings,
  draftOf,
  needsPasswordAgain,
  rebaseDraft,
} from "@/components/account/settings/settings-draft";
import { someUser } from "@/tests/support/user";

const stored = someUser({
  hasOpenaiApiKey: true,
  wordpressUrl: "https://blog.example.com",
  wordpressUsername: "editor",
  hasWordpressPassword: true,
});

it("sends nothing that has not changed", () => {
  expect(changedSettings(draftOf(stored), stored)).toEqual({});
  expect(
    changedSettings({ ...draftOf(stored), openaiApiKey: "", wordpressUrl: " https://blog.example.com " }, stored),
  ).toEqual({});
});

it("removes a secret with null, replaces it with a text, and clears a URL with an empty one", () => {
  const draft = { ...draftOf(stored), openaiApiKey: null, wordpressPassword: "new", wordpressUrl: "" };
  expect(changedSettings(draft, stored)).toEqual({ openaiApiKey: null, wordpressPassword: "new", wordpressUrl: "" });
});

it.each([
  ["https://other.example.com", true],
  ["https://blog.example.com/sub", true],
  ["http://blog.example.com", true],
  ["https://blog.example.com/", false],
  ["blog.example.com", false],
  ["", false],
  ["not an address", false],
])("with the URL %p asks for the password again: %p", (wordpressUrl, again) => {
  expect(needsPasswordAgain({ ...draftOf(stored), wordpressUrl }, stored)).toBe(again);
});

it("asks for no password again while none is stored", () => {
  const user = someUser({ wordpressUrl: "https://blog.example.com" });
  expect(needsPasswordAgain({ ...draftOf(user), wordpressUrl: "https://other.example.com" }, user)).toBe(false);
});

it("follows the account where the user has edited nothing, and keeps what they typed", () => {
  const now = { ...stored, wordpressUrl: "https://shop.example.com", wordpressUsername: "owner" };
  expect(rebaseDraft(draftOf(stored), stored, now)).toEqual(draftOf(now));
  const typed = { ...draftOf(stored), wordpressUsername: "author", openaiApiKey: "sk-new" };
  expect(rebaseDraft(typed, stored, now)).toEqual({ ...typed, wordpressUrl: "https://shop.example.com" });
});
