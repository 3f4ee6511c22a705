import { visibleHash } from "@/lib/features/publishing/writes/identity";

const hash = (content: string) => visibleHash({ title: "Title", content });

it.each([
  ["markup", '<p class="x">One <em>two</em></p>', "<p>One two</p>"],
  ["white space of any script", "One\u00a0two\u2003three\u3000four\ufefffive\r\n\tsix", "One two three four five six"],
  ["entities and the characters they stand for", "“a” &amp; b &lt; c&nbsp;d &#039;e&#39;", "“a” & b < c d 'e'"],
  ["a stray angle bracket", "1 < 2", "1 &lt; 2"],
])("makes no difference of %s", (_what, one, other) => {
  expect(hash(one)).toBe(hash(other));
});

it.each([
  ["words", "One two", "One too"],
  ["first letters", "Now", "How"],
  ["letters of other scripts", "鎌の研ぎ方", "鎌の研ぎ万"],
  ["emoji", "🌱", "🌲"],
])("tells %s apart", (_what, one, other) => {
  expect(hash(one)).not.toBe(hash(other));
});
