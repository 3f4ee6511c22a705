/**
 * Every way a request can fail, with its HTTP status and the message users read. Verbs throw `new AppError(type)`;
 * lib/transport/reply.ts and inngest/failures.ts map it.
 */
const CATALOGUE = {
  VALIDATION_ERROR: { status: 400, message: "Some fields need your attention." },
  MISSING_API_KEY: {
    status: 400,
    message: "OpenAI API key not found. Please add your API key in the settings page.",
  },
  MISSING_CREDENTIALS: {
    status: 400,
    message: "WordPress credentials not found. Please add them in your profile settings.",
  },
  OUTLINE_REQUIRED: {
    status: 400,
    message: "This piece has no outline yet. Generate or write an outline first, then write the content from it.",
  },
  NO_KEYWORDS: {
    status: 400,
    message: "This topic has no keywords yet. Add at least one keyword, then create content ideas.",
  },
  NOTHING_TO_DO: { status: 400, message: "There is nothing to do here: everything in this topic is already done." },
  NOT_PUBLISHABLE: {
    status: 400,
    message: "This piece has no body yet. Write a body first, then publish it.",
  },
  NOT_ON_SITE: { status: 400, message: "This piece is not on your WordPress site. Publish it first." },
  SEARCH_TOO_BROAD: {
    status: 400,
    message: "This search took too long. Use a longer or different word, or choose a project, then search again.",
  },
  INVALID_API_KEY: {
    status: 400,
    message: "The AI provider refused your API key. Check the key in the settings page, then try again.",
  },
  UNAUTHENTICATED: { status: 401, message: "Please sign in to continue." },
  FORBIDDEN_ORIGIN: { status: 403, message: "This request came from another site and was refused." },
  WORDPRESS_FORBIDDEN: {
    status: 403,
    message: "Your WordPress account is not allowed to do this. Use an account with the Editor or Administrator role.",
  },
  NOT_FOUND: { status: 404, message: "This was not found. It may have been deleted." },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: "This path does not support this method. The Allow header lists those it does.",
  },
  CHAT_NOT_STARTED: { status: 409, message: "Chat session not started" },
  ALREADY_RUNNING: {
    status: 409,
    message: "This is being worked on already. Wait until that is finished, then try again.",
  },
  VERSION_CONFLICT: {
    status: 409,
    message: "This piece was changed elsewhere since you opened it. Your text was not saved over it; both are kept.",
  },
  DUPLICATE: { status: 409, message: "This already exists." },
  STATUS_LOCKED: { status: 409, message: "Unpublish first to change the status" },
  REMOTE_CHANGED: {
    status: 409,
    message: "The post was edited on your WordPress site since it was last published. Publish again to overwrite it.",
  },
  REMOTE_TRASHED: {
    status: 409,
    message: "The post is in the trash on your WordPress site. Restore it there, or delete it there and publish again.",
  },
  REMOTE_GONE: {
    status: 409,
    message: "The post no longer exists on your WordPress site. Publish again to create a new one.",
  },
  SITE_UNCERTAIN: {
    status: 409,
    message: "This is a new address. Is it the same site that you connected before, or another site?",
  },
  STORAGE_FULL: {
    status: 409,
    message: "There is no room left in your account. Delete pieces or projects you no longer need, then try again.",
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: "This is too large to save. Shorten it, then try again." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "Send the data as application/json." },
  TOO_COMPLEX: {
    status: 422,
    message: "This text is too complex. Simplify or divide it, then try again.",
  },
  KEY_REUSED: {
    status: 422,
    message: "This Idempotency-Key was used for another call. Send a new key with each new call.",
  },
  AI_DECLINED: {
    status: 422,
    message: "The AI provider declined to write this. Change the wording of the topic or title, then try again.",
  },
  AI_TOO_LARGE: {
    status: 422,
    message:
      "This request is too large for your AI provider. Shorten the text or the outline it is made from, then try again.",
  },
  RATE_LIMITED: { status: 429, message: "Too many attempts. Please wait a little, then try again." },
  AI_RATE_LIMITED: {
    status: 429,
    message: "The AI provider is limiting your requests. Wait a little, then try again.",
  },
  INTERNAL: { status: 500, message: "Something went wrong on our side. Nothing you wrote is lost; please try again." },
  AI_PROVIDER_ERROR: {
    status: 502,
    message: "The AI provider could not be reached or had an error. Your text is unchanged; please try again.",
  },
  AI_BAD_ANSWER: {
    status: 502,
    message: "The AI provider gave an answer that could not be used. Your text is unchanged; please try again.",
  },
  AI_ACCESS_DENIED: {
    status: 502,
    message:
      "The AI provider denied access. Check what your account and API key there are allowed to use, then try again.",
  },
  CONNECTION_ERROR: {
    status: 502,
    message: "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.",
  },
  WORDPRESS_REJECTED: { status: 502, message: "Your WordPress site refused this." },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: "The service is not available right now. Please try again in a moment.",
  },
  AI_TIMEOUT: {
    status: 504,
    message: "The AI provider took too long to answer. Your text is unchanged; please try again.",
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorType = keyof typeof CATALOGUE;

export const ERROR_TYPES = Object.keys(CATALOGUE) as [ErrorType, ...ErrorType[]];

/** Messages for particular calls, instead of the catalogue's. */
export const CALL_MESSAGES = {
  suggestionsNeedKey: "Please add your OpenAI API key in the settings page to use AI suggestions.",
  writingNeedsKey: "OpenAI API key not found. Please add your API key in the settings page.",
  assistantNeedsKey: "Please add your OpenAI API key in the settings page to use the AI assistant.",
  // Each of these is followed by `tryAgainIn`.
  triedOften: "Too many attempts.",
  aiAskedOften: "The AI was asked 30 times within a minute.",
  aiLimits: "The AI provider is limiting your requests.",
  siteAskedOften: "Your WordPress site was asked 30 times within a minute.",
  publishingStartedOften: "Publishing was started 30 times within a minute. What was started goes on.",
  itemsQueued: "You have queued 100,000 pieces within a day, the most that is possible.",
  savedOften: "You saved too many times within a minute.",
} as const;

/** Says when a limit ends. Nobody counts the seconds of a longer wait. */
export function tryAgainIn(seconds: number): string {
  const [length, unit] = UNITS.find(([length]) => seconds > 1.5 * length) ?? [1, "second"];
  const whole = Math.ceil(seconds / length);
  return `Try again in ${whole} ${unit}${whole === 1 ? "" : "s"}.`;
}

const UNITS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
] as const;

export type AppErrorOptions = {
  /** Replaces the catalogue's message. */
  message?: string;
  /** Messages by form field. */
  fields?: Record<string, string[]>;
  /** The seconds to wait, sent as Retry-After. */
  retryAfter?: number;
  /**
   * Extra members of the JSON body: `jobId` of ALREADY_RUNNING, `current` of VERSION_CONFLICT, `detail` (a sentence) of
   * CONNECTION_ERROR. Never secrets.
   */
  details?: Record<string, unknown> | undefined;
  /** Only the log has it. */
  cause?: unknown;
};

/** A failure users may see. Throw it anywhere below an entry point. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly type: ErrorType;
  readonly fields: Record<string, string[]> | undefined;
  readonly retryAfter: number | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(type: ErrorType, options: AppErrorOptions = {}) {
    super(options.message ?? CATALOGUE[type].message, { cause: options.cause });
    this.type = type;
    this.fields = options.fields;
    this.retryAfter = options.retryAfter;
    this.details = options.details;
  }

  get status(): number {
    return CATALOGUE[this.type].status;
  }
}

export function isAppError(error: unknown, ...types: ErrorType[]): error is AppError {
  return error instanceof AppError && (types.length === 0 || types.includes(error.type));
}

/** A second sentence, shown beside the message. */
export function detailOf({ details }: AppError): string | undefined {
  return typeof details?.detail === "string" ? details.detail : undefined;
}

/** How a failure's detail begins that quotes the AI provider; only its user reads what follows. */
export const PROVIDER_SAYS = "The provider says:";

export function defaultMessage(type: ErrorType): string {
  return CATALOGUE[type].message;
}

/**
 * What a queue item does next. Neither `wait` (the provider said when to return) nor `hold` (the user must act first)
 * counts as an attempt; `stop` cannot succeed later, `retry` may.
 */
export function retryKind(error: unknown): "wait" | "hold" | "stop" | "retry" {
  if (!isAppError(error)) return "retry";
  if (error.type === "AI_RATE_LIMITED") return "wait";
  if (HOLDING.has(error.type)) return "hold";
  return STOPPING.has(error.type) ? "stop" : "retry";
}

const HOLDING: ReadonlySet<ErrorType> = new Set(["MISSING_API_KEY", "INVALID_API_KEY", "AI_ACCESS_DENIED"]);

const STOPPING: ReadonlySet<ErrorType> = new Set([
  "AI_DECLINED",
  "AI_TOO_LARGE",
  "OUTLINE_REQUIRED",
  "NOT_FOUND",
  "VALIDATION_ERROR",
  "STORAGE_FULL",
  "TOO_COMPLEX",
]);
