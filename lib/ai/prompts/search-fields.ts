import { z } from "zod";
import { type Prompt, readStructured } from "@/lib/ai/prompts/prompt";
import { fenced, LABELS, type PieceInput, pieceFences, systemMessage, userMessage } from "@/lib/ai/prompts/shared";
import { withoutQuotes } from "@/lib/ai/prompts/tidy";

export type SearchFieldsInput = PieceInput & {
  /** Markdown; blank where nothing is written yet. */
  text: string;
  outline: string;
};

const answer = z.object({
  focusKeyword: z.string().describe("2 to 5 words, as a person types them into a search engine"),
  seoTitle: z.string().describe("At most 60 characters, the focus keyword near its beginning"),
  metaDescription: z.string().describe("120 to 155 characters, with the focus keyword"),
  slug: z.string().describe("3 to 5 words of the focus keyword and title, in lower case, joined by hyphens"),
  excerpt: z.string().describe("One or two sentences for lists of posts, 20 to 40 words"),
});

/** What search engines and lists of posts say of an article: all of it in one answer, each on one line. */
export type SearchFields = z.infer<typeof answer>;

/** All fields at once. A focus keyword that the piece has is kept. Lengths are asked for, not enforced: the author sees them. */
export function searchFieldsPrompt(input: SearchFieldsInput): Prompt<SearchFields> {
  const { text, outline, focusKeyword } = input;
  return {
    name: "search_fields",
    version: "search-fields-1",
    limits: { maxTokens: 3_000, temperature: 0.5 },
    schema: answer,
    messages: [
      systemMessage(
        "You write what search engines and lists of posts show of a blog article.",
        [
          focusKeyword
            ? "The focus keyword is the one that the piece has, unchanged."
            : "The focus keyword is what a person would search for to find this article, and its text has it or a form of it.",
          "The SEO title has at most 60 characters (30 in Chinese, Japanese and Korean), begins with or near the focus keyword, and promises what the article keeps.",
          "The meta description has 120 to 155 characters (60 to 75 in Chinese, Japanese and Korean), whole sentences with the focus keyword, and says what the reader will know or be able to do.",
          "The slug has 3 to 5 words without small ones such as “the”, and no year.",
          "The excerpt makes a reader of the blog open the article, and does not repeat the meta description.",
          "Only what the text says: no number, name or promise that it does not have. No [source needed] mark, no Markdown, no emoji, no exclamation mark.",
        ],
        input.project.style,
      ),
      userMessage(
        [
          ...pieceFences(input),
          text.trim() === "" ? null : fenced(LABELS.text, text),
          text.trim() !== "" || outline.trim() === "" ? null : fenced(LABELS.outline, outline),
        ],
        "Write the focus keyword, SEO title, meta description, slug and excerpt of this article.",
      ),
    ],
    read: readStructured(answer, (fields) => {
      const tidied = { ...tidy(fields), ...(focusKeyword ? { focusKeyword } : {}) };
      if (tidied.seoTitle && tidied.metaDescription) return { ok: true, value: tidied };
      return { ok: false, problem: "The SEO title or the meta description was empty." };
    }),
  };
}

function tidy(fields: SearchFields): SearchFields {
  const tidied = Object.entries(fields).map(([name, text]) => [name, onOneLine(text)]);
  return Object.fromEntries(tidied);
}

function onOneLine(text: string): string {
  return withoutQuotes(text.replace(MARK, "").replace(/\s+/g, " "));
}

const MARK = /\[source needed[^\]\n]{0,500}\]/gi;
