import { idTokenInput, loginInput, registerInput, settingsInput } from "@/lib/features/account/schema";
import {
  contentGroupsQuery,
  contentStatus,
  createContentInput,
  listContentQuery,
  updateContentInput,
} from "@/lib/features/content/schema";
import { EDITABLE_STATUSES } from "@/lib/features/content/states";
import { generateIdeasInput, ideasForm } from "@/lib/features/generation/schema";
import { jobType, processingStatus } from "@/lib/features/jobs/schema";
import { createPersonaInput, createProjectInput } from "@/lib/features/projects/schema";
import { publishInput } from "@/lib/features/publishing/schema";
import { createTopicInput, keywordInput } from "@/lib/features/topics/schema";

type Schema = { safeParse: (value: unknown) => { success: boolean } };
const takes = (schema: Schema, value: unknown) => schema.safeParse(value).success;

it("a project needs a title and no description", () => {
  expect(takes(createProjectInput, { title: "Garden" })).toBe(true);
  expect(takes(createProjectInput, { title: "Garden", description: "Beds" })).toBe(true);
  for (const title of [undefined, "", "  ", 7]) expect(takes(createProjectInput, { title })).toBe(false);
});

it("a persona has name, age, description, and lists of text without blanks", () => {
  const tessa = { name: "Tessa", age: 34, description: "Rents a flat." };
  expect(createPersonaInput.parse({ ...tessa, interests: [" Food ", " "], challenges: [""] })).toEqual({
    ...tessa,
    interests: ["Food"],
    challenges: [],
  });
  expect(takes(createPersonaInput, { ...tessa, age: 1.5 })).toBe(false);
  expect(takes(createPersonaInput, { ...tessa, interests: [7] })).toBe(false);
  expect(takes(createPersonaInput, { ...tessa, name: " " })).toBe(false);
  expect(takes(createPersonaInput, { ...tessa, description: undefined })).toBe(false);
});

it("a topic needs name and description and no category, a keyword its text", () => {
  const topic = { name: "Seeds", description: "From packet to pot." };
  expect(takes(createTopicInput, topic)).toBe(true);
  expect(takes(createTopicInput, { ...topic, category: "Growing" })).toBe(true);
  expect(takes(createTopicInput, { name: "Seeds" })).toBe(false);
  expect(takes(createTopicInput, { description: "From packet to pot." })).toBe(false);
  expect(takes(keywordInput, { keyword: "heat mats" })).toBe(true);
  expect(takes(keywordInput, { keyword: "  " })).toBe(false);
});

it("a piece has one of seven statuses, of which a person sets four", () => {
  expect(contentStatus.options).toEqual([
    "draft",
    "review",
    "published",
    "unpublished",
    "wp_draft",
    "wp_published",
    "wp_failed",
  ]);
  expect(EDITABLE_STATUSES).toEqual(["draft", "review", "published", "unpublished"]);
  expect(takes(updateContentInput, { status: "archived" })).toBe(false);
});

it("an edit of a piece may send any of its fields", () => {
  const all = { title: "t", body: "", status: "review", outline: "", isOutline: true, isTitleOnly: false };
  for (const [field, value] of Object.entries(all)) expect(takes(updateContentInput, { [field]: value })).toBe(true);
  expect(takes(updateContentInput, { isOutline: "yes" })).toBe(false);
  expect(takes(updateContentInput, {})).toBe(false);
});

it("a title has a character at least, and the version an edit was made on is one that a piece can have", () => {
  for (const schema of [createContentInput, updateContentInput]) {
    expect(takes(schema, { title: "t" })).toBe(true);
    expect(takes(schema, { title: " " })).toBe(false);
  }
  expect(takes(updateContentInput, { title: "t", version: 1 })).toBe(true);
  expect(takes(updateContentInput, { title: "t", version: 0 })).toBe(false);
});

it("a list of pieces is narrowed down and paged, the groups of the library are narrowed down", () => {
  const filter = { search: "frost", status: "draft" };
  expect(listContentQuery.parse({ ...filter, topicId: "7", limit: "20" })).toEqual({
    ...filter,
    topicId: 7,
    limit: 20,
  });
  expect(contentGroupsQuery.parse({ ...filter, projectId: "3" })).toEqual({ ...filter, projectId: 3 });
});

it("publishing takes a category by id and by name, and needs neither", () => {
  expect(publishInput.parse({ categoryId: "21", categoryName: "Guides" })).toEqual({
    categoryId: "21",
    categoryName: "Guides",
  });
  expect(takes(publishInput, {})).toBe(true);
});

it("a category's name has 200 characters at most", () => {
  expect(takes(publishInput, { categoryName: "c".repeat(200) })).toBe(true);
  expect(takes(publishInput, { categoryName: "c".repeat(201) })).toBe(false);
});

it("processing has five statuses and two types of job", () => {
  expect(processingStatus.options).toEqual(["pending", "processing", "completed", "failed", "cancelled"]);
  expect(jobType.options).toEqual(["outline_generation", "content_generation"]);
  expect(takes(jobType, "translation")).toBe(false);
});

it("ideas need a topic, and one to ten for each keyword, three unless told otherwise", () => {
  expect(generateIdeasInput.parse({ topicId: 7 })).toEqual({ topicId: 7, ideasPerKeyword: 3 });
  for (const [count, isTaken] of [
    [0, false],
    [1, true],
    [10, true],
    [11, false],
    [2.5, false],
  ] as const) {
    expect(takes(generateIdeasInput, { topicId: 7, ideasPerKeyword: count })).toBe(isTaken);
    expect(takes(ideasForm, { topicId: "7", ideasPerKeyword: String(count) })).toBe(isTaken);
  }
  expect(takes(generateIdeasInput, { ideasPerKeyword: 3 })).toBe(false);
});

describe("an account", () => {
  const account = { username: "maren.holt", password: "a calm desk for words" };

  it("needs a username, and an e-mail that is one if it is given", () => {
    expect(takes(registerInput, account)).toBe(true);
    expect(takes(registerInput, { ...account, email: "maren@example.com" })).toBe(true);
    expect(takes(registerInput, { ...account, email: "maren" })).toBe(false);
    expect(takes(registerInput, { ...account, username: " " })).toBe(false);
    expect(takes(loginInput, { password: "x" })).toBe(false);
  });

  it("has a password of eight characters or more", () => {
    expect(takes(registerInput, { ...account, password: "1234567" })).toBe(false);
    expect(takes(registerInput, { ...account, password: "12345678" })).toBe(true);
  });

  it("has a picture whose address is one, or none", () => {
    expect(takes(idTokenInput, {})).toBe(true);
    expect(takes(idTokenInput, { photoURL: "https://example.com/maren.png" })).toBe(true);
    expect(takes(idTokenInput, { photoURL: "a picture" })).toBe(false);
  });

  it("may send each of its four settings alone", () => {
    for (const field of ["openaiApiKey", "wordpressUrl", "wordpressUsername", "wordpressPassword"]) {
      expect(settingsInput.parse({ [field]: "x" })).toEqual({ [field]: "x" });
    }
  });
});
