import { settingsInput } from "@/lib/features/account/settings/schema";
import { idTokenInput, loginInput, registerInput } from "@/lib/features/account/sign-in/schema";
import {
  contentGroupsQuery,
  contentStatus,
  createContentInput,
  listContentQuery,
  updateContentInput,
} from "@/lib/features/content/schema";
import { EDITABLE_STATUSES } from "@/lib/features/content/states";
import { generateIdeasInput, ideasForm } from "@/lib/features/generation/schema";
import { createPersonaInput, createProjectInput } from "@/lib/features/projects/schema";
import { publishInput } from "@/lib/features/publishing/schema";
import { createTopicInput, keywordInput } from "@/lib/features/topics/schema";
import { jobType, processingStatus } from "@/lib/features/work/schema";

type Schema = { safeParse: (value: unknown) => { success: boolean } };
const accepts = (schema: Schema, value: unknown) => schema.safeParse(value).success;

it("a project needs a title, and its description is optional", () => {
  expect(accepts(createProjectInput, { title: "Garden" })).toBe(true);
  expect(accepts(createProjectInput, { title: "Garden", description: "Beds" })).toBe(true);
  for (const title of [undefined, "", "  ", 7]) expect(accepts(createProjectInput, { title })).toBe(false);
});

it("a persona has name, age, description, and lists of text without blanks", () => {
  const tessa = { name: "Tessa", age: 34, description: "Rents a flat." };
  expect(createPersonaInput.parse({ ...tessa, interests: [" Food ", " "], challenges: [""] })).toEqual({
    ...tessa,
    interests: ["Food"],
    challenges: [],
  });
  expect(accepts(createPersonaInput, { ...tessa, age: 1.5 })).toBe(false);
  expect(accepts(createPersonaInput, { ...tessa, interests: [7] })).toBe(false);
  expect(accepts(createPersonaInput, { ...tessa, name: " " })).toBe(false);
  expect(accepts(createPersonaInput, { ...tessa, description: undefined })).toBe(false);
});

it("a topic needs a name and a description, its category is optional, and a keyword needs a text", () => {
  const topic = { name: "Seeds", description: "From packet to pot." };
  expect(accepts(createTopicInput, topic)).toBe(true);
  expect(accepts(createTopicInput, { ...topic, category: "Growing" })).toBe(true);
  expect(accepts(createTopicInput, { name: "Seeds" })).toBe(false);
  expect(accepts(createTopicInput, { description: "From packet to pot." })).toBe(false);
  expect(accepts(keywordInput, { keyword: "heat mats" })).toBe(true);
  expect(accepts(keywordInput, { keyword: "  " })).toBe(false);
});

it("a piece has one of seven statuses, of which a user sets four", () => {
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
  expect(accepts(updateContentInput, { status: "archived" })).toBe(false);
});

it("an edit of a piece may send any of its fields", () => {
  const all = { title: "t", body: "", status: "review", outline: "", isOutline: true, isTitleOnly: false };
  for (const [field, value] of Object.entries(all)) expect(accepts(updateContentInput, { [field]: value })).toBe(true);
  expect(accepts(updateContentInput, { isOutline: "yes" })).toBe(false);
  expect(accepts(updateContentInput, {})).toBe(false);
});

it("a title needs at least one character, and the version of an edit is at least 1", () => {
  for (const schema of [createContentInput, updateContentInput]) {
    expect(accepts(schema, { title: "t" })).toBe(true);
    expect(accepts(schema, { title: " " })).toBe(false);
  }
  expect(accepts(updateContentInput, { title: "t", version: 1 })).toBe(true);
  expect(accepts(updateContentInput, { title: "t", version: 0 })).toBe(false);
});

it("a list of pieces can be filtered and paged, and the groups of the library can be filtered", () => {
  const filter = { search: "frost", status: "draft" };
  expect(listContentQuery.parse({ ...filter, topicId: "7", limit: "20" })).toEqual({
    ...filter,
    topicId: 7,
    limit: 20,
  });
  expect(contentGroupsQuery.parse({ ...filter, projectId: "3" })).toEqual({ ...filter, projectId: 3 });
});

it("publishing accepts a category by id and by name, and needs neither", () => {
  expect(publishInput.parse({ categoryId: "21", categoryName: "Guides" })).toEqual({
    categoryId: "21",
    categoryName: "Guides",
  });
  expect(accepts(publishInput, {})).toBe(true);
});

it("a category's name has at most 200 characters", () => {
  expect(accepts(publishInput, { categoryName: "c".repeat(200) })).toBe(true);
  expect(accepts(publishInput, { categoryName: "c".repeat(201) })).toBe(false);
});

it("processing has five statuses and two types of job", () => {
  expect(processingStatus.options).toEqual(["pending", "processing", "completed", "failed", "cancelled"]);
  expect(jobType.options).toEqual(["outline_generation", "content_generation"]);
  expect(accepts(jobType, "translation")).toBe(false);
});

it("ideas need a topic, and one to ten for each keyword, three by default", () => {
  expect(generateIdeasInput.parse({ topicId: 7 })).toEqual({ topicId: 7, ideasPerKeyword: 3 });
  for (const [count, isValid] of [
    [0, false],
    [1, true],
    [10, true],
    [11, false],
    [2.5, false],
  ] as const) {
    expect(accepts(generateIdeasInput, { topicId: 7, ideasPerKeyword: count })).toBe(isValid);
    expect(accepts(ideasForm, { topicId: "7", ideasPerKeyword: String(count) })).toBe(isValid);
  }
  expect(accepts(generateIdeasInput, { ideasPerKeyword: 3 })).toBe(false);
});

describe("an account", () => {
  const account = { username: "maren.holt", password: "a calm desk for words" };

  it("needs a username, and a valid e-mail address if one is given", () => {
    expect(accepts(registerInput, account)).toBe(true);
    expect(accepts(registerInput, { ...account, email: "maren@example.com" })).toBe(true);
    expect(accepts(registerInput, { ...account, email: "maren" })).toBe(false);
    expect(accepts(registerInput, { ...account, username: " " })).toBe(false);
    expect(accepts(loginInput, { password: "x" })).toBe(false);
  });

  it("has a password of eight characters or more", () => {
    expect(accepts(registerInput, { ...account, password: "1234567" })).toBe(false);
    expect(accepts(registerInput, { ...account, password: "12345678" })).toBe(true);
  });

  it("has a picture with a valid address, or none", () => {
    expect(accepts(idTokenInput, {})).toBe(true);
    expect(accepts(idTokenInput, { photoURL: "https://example.com/maren.png" })).toBe(true);
    expect(accepts(idTokenInput, { photoURL: "a picture" })).toBe(false);
  });

  it("can change each of its four settings alone", () => {
    for (const field of ["openaiApiKey", "wordpressUrl", "wordpressUsername", "wordpressPassword"]) {
      expect(settingsInput.parse({ [field]: "x" })).toEqual({ [field]: "x" });
    }
  });
});
