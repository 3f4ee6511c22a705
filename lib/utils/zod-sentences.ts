import type { z } from "zod";

/**
 * The message under a field. It begins with "This field" or "Use", so that the field's name can be put in; a schema's
 * own message stays as it is.
 */
export function issueMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && issue.code !== "custom") return "This field is required.";
  switch (issue.code) {
    case "invalid_type":
      return KINDS[issue.expected] ?? OTHER;
    case "invalid_value":
      return issue.values.length === 1
        ? `Use ${String(issue.values[0])}.`
        : `Use one of these: ${issue.values.map(String).join(", ")}.`;
    case "invalid_format":
      return FORMATS[issue.format] ?? OTHER;
    case "too_small":
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case "too_big":
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive !== false);
    case "not_multiple_of":
      return `Use a multiple of ${issue.divisor}.`;
    case "unrecognized_keys":
      return `Use the fields that exist: ${issue.keys.join(", ")} ${issue.keys.length === 1 ? "is" : "are"} not known.`;
    case "invalid_union":
      return unionSentence(issue.errors);
    default:
      return OTHER;
  }
}

const OTHER = "Use another value.";

const KINDS: Record<string, string> = {
  string: "Use text.",
  number: "Use a number.",
  int: "Use a whole number.",
  boolean: "Use true or false.",
  array: "Use a list.",
  object: "Use a JSON object.",
  record: "Use a JSON object.",
  date: "Use a date.",
  null: "Use null.",
};

const FORMATS: Record<string, string> = {
  email: "Please enter a valid email address",
  url: "Enter an address that begins with https://.",
  uuid: "Use a valid id.",
  datetime: "Use a date and time such as 2026-11-21T10:00:00Z.",
};

function tooSmall(origin: string, min: number, isInclusive: boolean): string {
  const number = min.toLocaleString("en-US");
  if (!isInclusive) return `Use more than ${number}.`;
  if (origin === "string") return min === 1 ? "This field is required." : `Use at least ${number} characters.`;
  if (origin === "array") return `Use at least ${number}.`;
  return `Use ${number} or more.`;
}

function tooBig(origin: string, max: number, isInclusive: boolean): string {
  // This bound means nothing to users.
  if (max === Number.MAX_SAFE_INTEGER) return "Use a smaller number.";
  const number = max.toLocaleString("en-US");
  if (!isInclusive) return `Use less than ${number}.`;
  if (origin === "string") return `Use at most ${number} character${max === 1 ? "" : "s"}.`;
  if (origin === "array") return `Use at most ${number}.`;
  return `Use ${number} or less.`;
}

/** The intended variant is the one whose value failed, not just its type. */
function unionSentence(kinds: z.core.$ZodIssue[][]): string {
  const found = kinds.flat();
  return (found.find(({ code }) => code !== "invalid_type") ?? found[0])?.message ?? OTHER;
}

type Fields = Record<string, string[]>;

/** Messages by field; `first` names its field, or says what is wrong with the whole. */
export function fieldMessages(issues: readonly z.core.$ZodIssue[]): { fields: Fields; first: string | undefined } {
  const fields: Fields = {};
  const whole: string[] = [];
  for (const { path, message } of issues) {
    const [field, ...inside] = path.map((key) => (typeof key === "number" ? key : String(key)));
    if (field === undefined) whole.push(withName("The request body", message));
    else fields[field] = [...(fields[field] ?? []), inside.length > 0 ? withName(placeOf(inside), message) : message];
  }
  const [name, [sentence = ""] = []] = Object.entries(fields)[0] ?? [];
  return { fields, first: whole[0] ?? (name && withName(capitalised(wordsOf(name)), sentence)) };
}

/** "Keywords" and "Item 3: use text." give "Keywords, item 3: use text." */
function withName(name: string, sentence: string): string {
  const about = /^This (?:field|text) (.+)$/s.exec(sentence)?.[1];
  if (about) return `${name} ${about}`;
  if (sentence.startsWith("Item ")) return `${name}, ${uncapitalised(sentence)}`;
  return sentence.startsWith("Use ") ? `${name}: ${uncapitalised(sentence)}` : sentence;
}

/** Items count from 1. */
function placeOf(path: (string | number)[]): string {
  return capitalised(path.map((key) => (typeof key === "number" ? `item ${key + 1}` : wordsOf(key))).join(", "));
}

const SPELLED: Record<string, string> = { openai: "OpenAI", wordpress: "WordPress", api: "API", url: "URL" };

/** "ideasPerKeyword" becomes "ideas per keyword"; a trailing "id" is dropped. */
function wordsOf(field: string): string {
  return field
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/(.) id$/, "$1")
    .split(" ")
    .map((word) => SPELLED[word] ?? word)
    .join(" ");
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function uncapitalised(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
